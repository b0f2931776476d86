"""The part of the library of the same name that the example uses, for machines that cannot install it."""

import base64
import hashlib
import hmac
import json
import time


class WebhookVerificationError(Exception):
    pass


class Webhook:
    def __init__(self, whsecret):
        self._key = base64.b64decode(whsecret.removeprefix("whsec_"))

    def verify(self, data, headers):
        headers = {name.lower(): value for name, value in headers.items()}
        try:
            message, at = headers["webhook-id"], int(headers["webhook-timestamp"])
            signatures = headers["webhook-signature"].split(" ")
        except (KeyError, ValueError) as error:
            raise WebhookVerificationError("Missing or invalid headers") from error
        if abs(time.time() - at) > 300:
            raise WebhookVerificationError("Message timestamp too old or too new")
        content = f"{message}.{at}.{data.decode()}".encode()
        expected = hmac.digest(self._key, content, hashlib.sha256)
        for signature in signatures:
            version, value = signature.split(",")  # like the library: a ValueError without a comma
            if version == "v1" and hmac.compare_digest(base64.b64decode(value), expected):
                return json.loads(data)
        raise WebhookVerificationError("No matching signature found")
