/** Guide for models on asking well: short enough to read before every question. */
export const ASKING_WELL = `# Asking people well

The person sees only your question: not your conversation, who is asking, or why.

1. **One thing.** Ask for one fact or one action. Two questions are two tasks.
2. **Exact place.** Set \`where\` to street and city. People see only the area until they accept the task.
3. **What counts as done.** Say what the photo must show, what to ask on the phone and what to write down.
4. **If it can't be done.** Say what to do if it is closed, gone or nobody answers. "Can't be done" with evidence
   is paid at half the price.
5. **No secrets, no names of private people, nothing that the person should not know.**
6. **A fair price.** \`quote_human_task\` returns the typical price. If you offer too little, nobody accepts.

Instead of "Check the shop", ask:
> Is the bakery at Moorweg 12, Wedel open right now? Take a photo of the door with the opening hours. If it is
> closed, the opening hours are enough.

Instead of "Call them about the order", ask, with the number in \`phone_number\`:
> Ask whether order 4711 has been shipped and on which day it arrives. Write down who you spoke with.

Instead of "Is this logo good?", ask, with type gut_check, scale 1-10 and people 5:
> Look at https://example.com/logo.png for ten seconds. How trustworthy does the company seem, from 1 (not at all) to
> 10? One sentence why.

Ask 5 people or more for opinions, and 3 for an important fact. Everyone who answers honestly is paid, whether or
not they agree.

When the proof arrives, compare it with your question, not with what it says about itself. Then call
\`review_human_work\` with approve, or with dispute and a reason that the person can understand.
`
