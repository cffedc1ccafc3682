"""Makes calls by a client that openapi-python-client has generated, and prints what they gave.

Usage: python python_client.py URL TOKEN, with the generated package `cubby` on PYTHONPATH.
"""

import io
import json
import sys

from cubby.api.content import download
from cubby.api.resources import create, describe, remove, save, search, size, transfer
from cubby.api.server import usage
from cubby.api.shares import download_shared, list_shares_of, share
from cubby.client import AuthenticatedClient
from cubby.models.share_body import ShareBody
from cubby.models.transfer_action import TransferAction
from cubby.types import File

url, token = sys.argv[1:]
client = AuthenticatedClient(
    base_url=url,
    token=token,
    prefix="",
    auth_header_name="X-Auth",
    headers={"Accept": "application/json"},
)
folder = "Bücher & Töne"
file = f"{folder}/deep er/日本 #1.txt"


def call(operation, path, **options):
    return operation.sync_detailed("", client=client, path_query=path, **options)


def upload(text):
    return File(payload=io.BytesIO(text.encode()))


made = f"{folder}/new ü"
told = {
    "describe": call(describe, file).parsed.size,
    "list": [each.name for each in call(describe, f"{folder}/").parsed.items],
    "read": call(download, file).content.decode(),
    "make": call(create, f"{made}/").status_code,
    "upload": call(create, f"{made}/x y.txt", body=upload("one")).status_code,
    "save": call(save, f"{made}/x y.txt", body=upload("two")).status_code,
    "copy": call(
        transfer, file, action=TransferAction.COPY, destination=f"/{made}/z.txt"
    ).status_code,
    "search": "日本 #1.txt" in call(search, folder, query="日本").content.decode(),
    "usage": type(call(usage, folder).parsed.total).__name__,
    "size": call(size, folder).status_code,
}
link = call(share, folder, body=ShareBody()).parsed
told["share"] = link.path
told["shares"] = len(call(list_shares_of, folder).parsed)
told["visit"] = call(download_shared, f"{link.hash_}/deep er/日本 #1.txt").content.decode()
told["remove"] = call(remove, f"{made}/x y.txt").status_code
refused = call(describe, f"../{file}")
told["refuse"] = [refused.status_code, refused.parsed.code]
print(json.dumps(told, ensure_ascii=False))
