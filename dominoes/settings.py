"""Django's settings. All that a site may differ in comes from the environment (see README).

With nothing set this is the embedded default: SQLite and an in-memory layer in one process, on
plain HTTP for this machine and the network at home. ``ALLOWED_HOSTS`` makes it a public site.
"""

import os
from pathlib import Path

from csp.constants import NONCE, NONE, SELF, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from dominoes import environment, logs

BASE_DIR = Path(__file__).resolve().parent.parent
# The database file, the generated key and the collected static files.
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / "var").resolve()

try:
    DEBUG = environment.flag(os.environ, "DEBUG")
    # Off lifts every limit by address, for tests and benches.
    RATE_LIMITS = environment.flag(os.environ, "RATE_LIMITS", default=True)
    TRUSTED_PROXIES = environment.networks(os.environ, "TRUSTED_PROXIES")
    DATABASES = {"default": environment.database(os.environ.get("DATABASE_URL", ""), DATA_DIR)}
    # How far browsers stay with TLS: subdomains of the site as well, this host alone, or (what its
    # owner can hardly take back) on the list that browsers come with.
    HSTS = environment.word(os.environ, "HSTS", ("subdomains", "host", "preload"))
    MAIL = environment.mail(os.environ.get("EMAIL_URL", ""))
    PUBLIC_HOSTS = environment.words(os.environ, "ALLOWED_HOSTS")
    PUBLIC = bool(PUBLIC_HOSTS)
    SECRET_KEY = os.environ.get("SECRET_KEY", "")
    if PUBLIC and not SECRET_KEY:
        raise environment.BadEnvironment(
            "ALLOWED_HOSTS makes this a public site, which needs a SECRET_KEY of its own: a long "
            "random text that stays the same over restarts and is known to nobody else."
        )
    if not SECRET_KEY:
        SECRET_KEY = environment.generated_key(DATA_DIR / "secret_key")
except environment.BadEnvironment as error:
    raise ImproperlyConfigured(str(error)) from None

# Without ALLOWED_HOSTS dominoes.security.Gate lets through this machine and private addresses,
# which a list of patterns can't say; it stands before Django, for pages and sockets alike.
ALLOWED_HOSTS = PUBLIC_HOSTS or ["*"]

INSTALLED_APPS = [
    "ranking",
    "dominoes.table",
    "lobby",
    "channels",
    "ninja",
    "axes",
    "csp",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "dominoes.static.StaticFiles",
    "csp.middleware.CSPMiddleware",
    "ranking.middleware.ApiErrors",
    "ranking.middleware.NoNulls",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "ranking.middleware.Seen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "dominoes.urls"
ASGI_APPLICATION = "dominoes.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {"assets": "dominoes.assets"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    },
]

# Channels' layer, cache and sessions. Sessions are in the database: they outlive a restart.
REDIS_URL = os.environ.get("REDIS_URL", "")
CHANNEL_LAYERS = {"default": environment.channel_layer(REDIS_URL)}
CACHES = {"default": environment.cache(REDIS_URL)}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
# A guest has nothing but the cookie to come back by.
SESSION_COOKIE_AGE = 180 * 24 * 3600
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People.
AUTH_USER_MODEL = "ranking.Player"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# What the ladder, which knows no game, calls the variants on its pages.
RANKING_TITLES = {
    "dominoes/partners-4-partners": _("Partners"),
    "dominoes/draw-2-singles": _("Draw for two"),
    "dominoes/draw-3-singles": _("Draw for three"),
    "dominoes/draw-4-singles": _("Draw for four"),
    "dominoes/classic-2-singles": _("Classic for two"),
    "dominoes/classic-4-singles": _("Classic for four"),
    "dominoes/classic-4-partners": _("Classic in partners"),
    "dominoes/fives-2-singles": _("All Fives for two"),
    "dominoes/fives-3-singles": _("All Fives for three"),
    "dominoes/fives-4-singles": _("All Fives for four"),
    "dominoes/fives-4-partners": _("All Fives in partners"),
}

# Sign-in is locked for one name from one address, so that nobody can lock others out; and for an
# address that tries many names.
AXES_HANDLER = "dominoes.lockout.Handler"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "dominoes.lockout.address"
AXES_USERNAME_CALLABLE = "dominoes.security.lockout_name"
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ACCESS_FAILURE_LOG = False
AXES_VERBOSE = False

# Mail. Without EMAIL_URL an administrator makes reset links.
MAIL_CONFIGURED = bool(os.environ.get("EMAIL_URL"))
globals().update(MAIL)

# Languages and time.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = PUBLIC
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files: served by the same process, under hashed names once collected.
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise looks there at every start
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "dominoes.static.HashedStaticFiles"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}

# Pages run our own scripts only. Tiles carry their places as custom properties in style
# attributes, which is what style-src-attr is for; style sheets and <style> stay closed.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "style-src-attr": [UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "django.views.csrf.csrf_failure"

# A public site speaks TLS only (from its proxy on, see TRUSTED_PROXIES). Probes stay plain.
SECURE_SSL_REDIRECT = PUBLIC
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SESSION_COOKIE_SECURE = PUBLIC
CSRF_COOKIE_SECURE = PUBLIC
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PUBLIC else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PUBLIC and HSTS != "host"
SECURE_HSTS_PRELOAD = PUBLIC and HSTS == "preload"
# Django warns of the lesser HSTS, which here is its owner's choice.
SILENCED_SYSTEM_CHECKS = {
    "host": ["security.W005", "security.W021"],
    "subdomains": ["security.W021"],
    "preload": [],
}[HSTS]

# A request's body is a form or a small JSON document.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

LOGGING_CONFIG = "dominoes.logs.configure"
LOGGING = logs.options(debug=DEBUG)
