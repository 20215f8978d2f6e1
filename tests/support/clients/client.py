"""Posts, pages, edits, deletes and stores records with the client that openapi-python-client has made."""

import importlib
import pkgutil
import sys

import reviews_client
from reviews_client import AuthenticatedClient
from reviews_client.api.records import store_records
from reviews_client.api.reviews import create_review, delete_review, list_reviews, update_review
from reviews_client.api.tours import get_tour
from reviews_client.models import CreateReview, LineResultResult, SentTour, SentUser, UpdateReview
from reviews_client.types import UNSET

for module in pkgutil.walk_packages(reviews_client.__path__, "reviews_client."):
    importlib.import_module(module.name)

url, token, tour, service = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
assert get_tour.sync(tour, client=client).tour.review_count == 1
made = create_review.sync(client=client, body=CreateReview(tour_id=tour, rating=5, comment="By Python"))
page = list_reviews.sync_detailed(client=client, tour_id=tour, limit=1)
assert [review.comment for review in page.parsed.reviews] == ["By Python"]
assert 'rel="next"' in page.headers["Link"]
changed = update_review.sync(made.review.id, client=client, body=UpdateReview(rating=4))
assert (changed.review.rating, changed.review.comment) == (4, "By Python")
assert delete_review.sync(made.review.id, client=client).message == "Review deleted successfully"
platform = AuthenticatedClient(base_url=url, token=service, raise_on_unexpected_status=True)
user = SentUser(id="ann", name="Ann", email="ann@platform.example", type_="users")
walk = SentTour(id="walk", title="Walk", slug="walk", created_by_id="nobody", type_="tours")
stored, refused = store_records.sync(client=platform, body=[user, walk])
assert (stored.line, stored.type_, stored.id) == (1, "users", "ann")
assert (stored.result, stored.error) == (LineResultResult.CREATED, UNSET)
assert (refused.line, refused.result) == (2, UNSET) and refused.error.startswith("createdById: ")
print("done")
