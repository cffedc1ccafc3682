"""Makes calls by a client that openapi-python-client has generated, and prints what they gave.

Usage: python python_client.py TASK, with the generated package `cubby` on PYTHONPATH. The task, as
JSON, and the names of the calls are those of generated_clients.ts.
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

task = json.loads(sys.argv[1])
folder, made, file, below = (task[name] for name in ["folder", "made", "file", "below"])
client = AuthenticatedClient(
    base_url=task["url"],
    token=task["token"],
    prefix="",
    auth_header_name="X-Auth",
    headers={"Accept": "application/json"},
)

def call(operation, path, **options):
    return operation.sync_detailed("", client=client, path_query=path, **options)


def upload(text):
    return File(payload=io.BytesIO(text.encode()))


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
    "search": below in call(search, folder, query=task["sought"]).content.decode(),
    "usage": call(usage, folder).parsed.total > 0,
    "size": call(size, folder).status_code,
}
link = call(share, folder, body=ShareBody()).parsed
told["share"] = link.path
told["shares"] = len(call(list_shares_of, folder).parsed)
told["visit"] = call(download_shared, f"{link.hash_}/{below}").content.decode()
told["remove"] = call(remove, f"{made}/x y.txt").status_code
refused = call(describe, f"../{file}")
told["refuse"] = [refused.status_code, refused.parsed.code]
print(json.dumps(told, ensure_ascii=False))
