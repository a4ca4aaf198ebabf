"""A client that is never asked: for what only needs to know the questions."""

from stef.llm.client import ChatRequest, Completion


class UnaskedClient:
    """Stands for `model` where no call is to be made, and no key is needed."""

    def __init__(self, model: str) -> None:
        self.model = model

    async def complete(self, request: ChatRequest) -> Completion:
        """Raises RuntimeError: this client must not be asked."""
        raise RuntimeError(f"{self.model} was to be left unasked, but was asked {request.key}")

    async def close(self) -> None:
        """Nothing to let go of."""
