"""The project's own measurements: ``manage.py bench NAME``.

Each module here is one bench, by its name. It has ``HELP``, a line on what it measures, and
``main(arguments) -> int``, which takes what stands after the name and gives the exit status.
"""
