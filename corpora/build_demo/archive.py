"""Office files are ZIP archives; here they become ones that are the same on every run."""

import datetime
import io
import re
import zipfile


def rewrite_zip(content: bytes, *, modified: datetime.datetime) -> bytes:
    """The same archive with sorted members, fixed dates and nothing deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        # [Content_Types].xml first, where Office and file-type detectors look for it.
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            body = old.read(name)
            if name == "docProps/core.xml":
                # openpyxl stamps the time of saving whatever the properties say.
                stamp = modified.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
                body = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + stamp, body)
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # the same on every operating system
            new.writestr(member, body, zipfile.ZIP_STORED)
    return buffer.getvalue()
