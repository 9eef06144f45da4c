"""
Tools for agent frameworks: a model asks people, and reads what they send as data.

    from legwork import Legwork
    from legwork.tools import human_tools

    tools = human_tools(Legwork())
    print([tool.as_openai() for tool in tools])

They have the names, texts, arguments and marks of the tools of the MCP server. Only `ask_human` spends, and only the
budget of the task that it creates.
"""

from ._async.tools import (
    AsyncTool as AsyncTool,
    ask_human_function as async_ask_human_function,
    human_tools as async_human_tools,
    wait_for_human_function as async_wait_for_human_function,
)
from ._sync.tools import (
    Tool as Tool,
    ask_human_function as ask_human_function,
    human_tools as human_tools,
    wait_for_human_function as wait_for_human_function,
)

__all__ = [
    "AsyncTool",
    "Tool",
    "ask_human_function",
    "async_ask_human_function",
    "async_human_tools",
    "async_wait_for_human_function",
    "human_tools",
    "wait_for_human_function",
]
