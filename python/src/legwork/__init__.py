"""
The Legwork API for Python: ask people to do things in the world, from code.

    from legwork import Legwork

    legwork = Legwork()
    done = legwork.ask("Is it open?", location="Moorweg 12, Wedel", proof="photo")
    legwork.tasks.save_proofs(done.id, "proofs")
    legwork.tasks.approve(done.id)
"""

from ._async.client import AsyncLegwork as AsyncLegwork
from ._duration import Duration as Duration
from ._sync.client import Legwork as Legwork
from ._version import VERSION as __version__
from .error_classes import *
from .errors import (
    ConnectionFailedError as ConnectionFailedError,
    LegworkError as LegworkError,
    MissingKeyError as MissingKeyError,
    TimeLimitError as TimeLimitError,
    UnreadableAnswerError as UnreadableAnswerError,
    WaitTimeout as WaitTimeout,
    is_passing as is_passing,
)
from .models import (
    Proof as Proof,
    Task as Task,
    TaskDetail as TaskDetail,
    TaskStatus as TaskStatus,
    WebhookEvent as WebhookEvent,
)
from .webhooks import (
    HeadersLike as HeadersLike,
    WebhookVerificationError as WebhookVerificationError,
    verify_webhook as verify_webhook,
)
