"""Asks several people at the same time, with the asynchronous client."""

import asyncio

from legwork import AsyncLegwork

SHOPS = ["bakery", "pharmacy", "bookshop"]


async def ask(legwork: AsyncLegwork, shop: str) -> str:
    done = await legwork.ask(f"Is the {shop} open?", location="Moorweg 12, Wedel", proof="text")
    await legwork.tasks.approve(done.id)
    return f"the {shop} is {'open' if done.proofs[0].answer else 'closed'}"


async def main() -> None:
    async with AsyncLegwork() as legwork:
        for line in await asyncio.gather(*[ask(legwork, shop) for shop in SHOPS]):
            print(line)


asyncio.run(main())
