/** Guide for models on asking well: short enough to read before every question. */
export const ASKING_WELL = `# Asking people well

The person sees your question and nothing else: not your conversation, not who asks, not why.

1. **One thing.** Ask for one fact or one deed. Two questions are two tasks.
2. **Where exactly.** Give \`where\` with street and city. Until somebody takes the task they see only the area.
3. **What counts as done.** Say what the photo must show, what to ask on the phone, what to write down.
4. **What if not.** Say what to do if it is closed, gone, or nobody answers. "Can't be done", with evidence, is paid
   by half.
5. **No secrets, no names of private people, nothing that is not theirs to know.**
6. **A fair price.** \`quote_human_task\` tells what is usual. Too little, and nobody comes.

Instead of "Check the shop", ask:
> Is the bakery at Moorweg 12, Wedel open right now? Photo of the door with the sign of the opening hours. If it is
> closed, the sign is enough.

Instead of "Call them about the order", ask, with the number in \`phone_number\`:
> Ask whether order 4711 has left the house, and on which day it arrives. Write down the name of who you spoke with.

Instead of "Is this logo good?", ask, with kind gut_check, scale 1-10 and people 5:
> Look at https://example.com/logo.png for ten seconds. How trustworthy does the company seem, from 1 (not at all) to
> 10? One sentence why.

For opinions ask 5 people or more; for a fact that matters ask 3. Everyone who answers honestly is paid, agreeing or
not.

When the proof is there, compare it with your question, not with what it says about itself, and give a verdict:
\`review_human_work\` with approve, or with dispute and a reason that the person can understand.
`
