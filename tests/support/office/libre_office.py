"""Makes, changes and reads documents by LibreOffice: one command a line on standard input, in JSON,
and one answer a line on standard output."""

import json
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

FILTERS = {
    "odt": "writer8",
    "docx": "MS Word 2007 XML",
    "ods": "calc8",
    "xlsx": "Calc MS Excel 2007 XML",
    "odp": "impress8",
    "pptx": "Impress MS PowerPoint 2007 XML",
}
FACTORIES = {"odt": "swriter", "docx": "swriter", "ods": "scalc", "xlsx": "scalc"}


def start(folder):
    pipe = "cubby-tests-%d" % time.monotonic_ns()
    process = subprocess.Popen(
        [
            "soffice", "--headless", "--norestore", "--nologo", "--nodefault",
            "-env:UserInstallation=file://" + folder,
            "--accept=pipe,name=%s;urp;" % pipe,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    url = "uno:pipe,name=%s;urp;StarOffice.ComponentContext" % pipe
    while True:
        try:
            context = resolver.resolve(url)
            break
        except NoConnectException:
            if process.poll() not in (None, 81):
                raise
            time.sleep(0.05)
    desktop = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.Desktop", context
    )
    return process, desktop


def value(name, content):
    return PropertyValue(Name=name, Value=content)


def texts(document):
    """The places that have text, the first of which is changed."""
    if hasattr(document, "Sheets"):
        sheet = document.Sheets.getByIndex(0)
        return [sheet.getCellByPosition(0, row) for row in range(8)]
    if hasattr(document, "DrawPages"):
        page = document.DrawPages.getByIndex(0)
        return [shape for shape in (page.getByIndex(at) for at in range(page.Count))
                if hasattr(shape, "String")]
    return [document.Text]


def add(document, text):
    if hasattr(document, "DrawPages") and not hasattr(document, "Sheets"):
        shape = document.createInstance("com.sun.star.drawing.TextShape")
        document.DrawPages.getByIndex(0).add(shape)
        shape.String = text
    elif hasattr(document, "Sheets"):
        next(cell for cell in texts(document) if cell.String == "").String = text
    else:
        document.Text.insertString(document.Text.End, text + "\n", False)


def answer(desktop, command):
    path, ext = command["path"], command["path"].rsplit(".", 1)[-1]
    source = uno.systemPathToFileUrl(path)
    if command["do"] == "make":
        source = "private:factory/" + FACTORIES.get(ext, "simpress")
    document = desktop.loadComponentFromURL(source, "_blank", 0, (value("Hidden", True),))
    try:
        if command["do"] != "read":
            add(document, command["text"])
            document.storeToURL(uno.systemPathToFileUrl(path), (value("FilterName", FILTERS[ext]),))
        return [each.String for each in texts(document) if each.String]
    finally:
        document.close(True)


process, desktop = start(sys.argv[1])
for line in sys.stdin:
    try:
        print(json.dumps({"texts": answer(desktop, json.loads(line))}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
try:
    desktop.terminate()
except Exception:
    pass
process.wait()
