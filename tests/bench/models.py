"""What the baseline stores: a row for each table, an event for each move."""

from django.db import models


class Place(models.Model):
    """A table of the baseline."""

    code = models.CharField(max_length=12, unique=True)
    seq = models.IntegerField(default=0)
    word = models.CharField(max_length=16, default="")

    class Meta:
        app_label = "bench"

    def __str__(self) -> str:
        return self.code


class Happening(models.Model):
    """A move at a table of the baseline."""

    place = models.ForeignKey(Place, models.CASCADE)
    number = models.IntegerField()
    seat = models.SmallIntegerField()
    word = models.CharField(max_length=16)

    class Meta:
        app_label = "bench"

    def __str__(self) -> str:
        return f"{self.place_id} {self.number}"
