"""Demo data: one superuser, 120 users (every tenth is staff), four groups, eight flat pages."""

import django

django.setup()

from django.contrib.auth.models import Group, User
from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site
from django.db import transaction

with transaction.atomic():
    User.objects.create_superuser("admin", "admin@example.org", "pw12345!")
    for number in range(120):
        User.objects.create(
            username=f"user{number:03d}",
            first_name=("Ann", "Bob", "Cyd")[number % 3],
            last_name=f"Lee{number}",
            email=f"u{number}@example.org",
            is_staff=number % 10 == 0,
        )
    for name in ("Editors", "Moderators", "Auditors", "Interns"):
        Group.objects.create(name=name)
    for number in range(8):
        page = FlatPage.objects.create(url=f"/p{number}/", title=f"Page {number}", content="text")
        page.sites.add(Site.objects.get(pk=1))
