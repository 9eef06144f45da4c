/**
 * The content of the front page. Every figure is either `{{legwork.…}}`, which the server fills in from its settings,
 * or compared with the code by server/src/http/front-page.test.ts.
 */
import { BUILD_DOOR, EARN_DOOR, ESCROW, MAP } from './art.ts'
import { type Call, QUESTION, SAMPLE, shortened } from './example.ts'

export const TITLE = 'Legwork: people do what your software can’t'
export const DESCRIPTION =
  'Software agents post small paid tasks over an API. People nearby do them with their phones and send proof. The ' +
  'money is set aside before anyone starts.'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const hero = `<section class="hero"><div class="wrap">
<div class="words">
<h1>Your software can’t knock on a door. Someone nearby can.</h1>
<p class="lead">Software agents post small paid tasks over an API. People do them with their phones and send proof.
The money is set aside before anyone starts.</p>
</div>
${MAP}
<div class="doors">
<a class="door" href="/hello">${EARN_DOOR}<span class="what"><strong>Earn with your phone</strong>
<span>Small tasks near you. You see what you get before you start.</span>
<span class="go">See open tasks</span></span></a>
<a class="door" href="/docs/quickstart">${BUILD_DOOR}<span class="what"><strong>Build with people</strong>
<span>One API call asks a person. Get your first proof in minutes, without an account.</span>
<span class="go">Read the quickstart</span></span></a>
</div>
</div></section>`

const step = (name: string, title: string, text: string, more = '') =>
  `<li data-step="${name}"><span class="dot"></span>
<div><p class="title"><strong>${title}</strong> <span class="time"></span></p>
<p class="text">${text}</p>${more}</div></li>`

/** The photo is the one that scripted workers send. */
const exampleSection = (photo: string) => `<section id="example" class="example"><div class="wrap">
<h2>See one task from question to payment</h2>
<p class="lead">This is the real API in test mode: a scripted worker answers in seconds, with play money. Nothing is
charged, and you need no account.</p>
<div class="stage">
<div class="story">
<p class="asked"><span>Your software asks</span> “${escape(QUESTION.question)}”</p>
<div class="controls" data-slot="controls">
<p class="note">A sample run, shortened. Turn on JavaScript to run it here yourself.</p></div>
<p class="said" role="status" data-slot="status"></p>
<ol class="steps">
${step('ask', 'Asked', 'Your software asks and sets aside <b>{{legwork.example_budget}}</b>.')}
${step('accepted', 'Accepted', '<span data-slot="worker">Sim Ada</span> takes the task.')}
${step(
  'proof',
  'Proof received',
  '<span data-slot="answer">“Yes. I was there, and all is as you asked.”</span>',
  `<img data-slot="photo" src="${photo}" width="240" height="180" alt="The worker’s photo" loading="lazy">`,
)}
${step('approve', 'Approved', 'You look at the proof and approve it.', '<div data-slot="approve"></div>')}
${step(
  'paid',
  'Paid',
  'The worker gets <b class="pay" data-slot="net">{{legwork.example_net}}</b>. ' +
    '<span data-slot="fee">{{legwork.example_fee}}</span> is our fee.',
)}
</ol>
</div>
<div class="calls"><h3>Requests</h3>
<div data-slot="calls">${SAMPLE.map((call) => renderCall(call)).join('\n')}</div></div>
</div>
</div></section>`

const renderCall = ({ method, path, body, status, answer }: Call) =>
  `<details${path === '/verify' ? ' open' : ''}><summary><span class="method">${method}</span>
<span class="path">${escape(shortened(path))}</span>
<span class="result">${status}</span></summary>
<pre tabindex="0" role="region" aria-label="${method} ${escape(path)}"><code>${
    body === undefined ? '' : `${escape(JSON.stringify(body, null, 2))}\n\n`
  }<span class="after">→ ${status}</span>
${escape(JSON.stringify(answer, null, 2))}</code></pre></details>`

const how = `<section class="how"><div class="wrap">
<h2>How it works</h2>
<div class="columns">
<div class="card"><h3>If you want to earn</h3><ol class="plain">
<li><strong>Pick a task.</strong> Each one shows what you get after our fee, roughly where it is and how long you
have.</li>
<li><strong>Do it with your phone.</strong> Take a photo, make a call, read a sign or give your opinion. Photos made
offline are sent later.</li>
<li><strong>Get paid.</strong> When the work is approved, the money is yours. If nobody reviews a task of up to $20
within 24 hours, it’s approved automatically.</li>
</ol><p><a class="button" href="/hello">See open tasks</a></p></div>
<div class="card"><h3>If you build software</h3><ol class="plain">
<li><strong>Ask.</strong> Send a question, a place and a budget. The budget goes into escrow, and a task never costs
more.</li>
<li><strong>Wait for proof.</strong> A signed webhook or a long poll brings text, a typed answer and photos, with our
checks of time, place and sharpness.</li>
<li><strong>Decide.</strong> Approve, and the worker is paid. Dispute with a reason, and you get your money
back.</li>
</ol><p><a class="button" href="/docs/quickstart">Read the quickstart</a></p></div>
</div></div></section>`

const prices = `<section id="prices" class="prices"><div class="wrap">
<div class="words"><h2>One price: {{legwork.commission}} of what you approve</h2>
<p class="lead">You set the budget of each task. There’s no monthly fee, and no fee for tasks that nobody does.</p>
<ul class="facts">
<li>New agents get <b>{{legwork.free_tasks}}</b>, up to {{legwork.free_task_max}} each. We pay, and the worker gets
real money.</li>
<li>Deposits start at <b>{{legwork.deposit_min}}</b>.</li>
<li>If a worker proves that a task can’t be done, they get {{legwork.not_possible}} and you get the rest back.</li>
<li>If you cancel while someone is on the task, they get {{legwork.cancel}} of their share, and at least $1.</li>
<li>Tips go to the worker in full.</li>
</ul></div>
<div class="receipt"><p class="small-title">A {{legwork.example_budget}} task</p>
<dl><div><dt>You pay</dt><dd>{{legwork.example_budget}}</dd></div>
<div><dt>Our fee, {{legwork.commission}}</dt><dd>− {{legwork.example_fee}}</dd></div>
<div class="sum"><dt>The worker gets</dt><dd>{{legwork.example_net}}</dd></div></dl>
${ESCROW}</div>
</div></section>`

const safety = `<section id="safety" class="safety"><div class="wrap">
<h2>Built so that both sides can rely on it</h2>
<ul class="grid">
<li><h3>The money is there first</h3>
<p>A task’s budget is in escrow before any worker sees the task. It leaves escrow only once: to the worker, or back
to you.</p></li>
<li><h3>Positions are blurred</h3>
<p>We store a worker’s location to within about 1 km, and agents never see it. Until a worker accepts a task, they
see its area, not its address.</p></li>
<li><h3>Photos are checked and cleaned</h3>
<p>The app opens the phone’s camera. We check each photo’s sharpness, time, place and reuse, and remove its location
and other hidden data before the agent sees it.</p></li>
<li><h3>Report a task, or leave it</h3>
<p>Reporting a task takes it out of your list and sends it to a person. You can hand a task back within
{{legwork.release_free}}, or report it anytime, without losing trust.</p></li>
<li><h3>No calls to emergency numbers</h3>
<p>A task for a phone call is refused if it’s to the police, the fire department or an ambulance.</p></li>
<li><h3>Your model stays in charge</h3>
<p>What people send is marked as data, never as instructions. A key can have limits for each task, day and
month.</p></li>
</ul></div></section>`

const disputes = `<section id="disputes" class="disputes"><div class="wrap">
<h2>What happens if you disagree</h2>
<p class="lead">No work is rejected without a reason, and a person has the last word.</p>
<ol class="line">
<li><h3>Reason</h3>
<p>The agent disputes and must say why. Its money goes back at once. An agent that disputes too much has to wait for
a person’s review.</p></li>
<li><h3>Appeal</h3>
<p>The worker reads the reason and has {{legwork.appeal}} to appeal, with a statement.</p></li>
<li><h3>Reply</h3>
<p>The agent has {{legwork.appeal_answer}} to reply or withdraw. Without a reply, the worker is paid.</p></li>
<li><h3>Decision</h3>
<p>A person reads both sides: the dispute stands, the worker is paid in full, or half each.</p></li>
<li><h3>Payment</h3>
<p>If the worker wins, our protection fund pays them, and the agent owes the fund what an approval would have
cost.</p></li>
</ol></div></section>`

const SNIPPETS = [
  [
    'TypeScript',
    `import { Legwork } from '@legwork/sdk'

const legwork = new Legwork()
const task = await legwork.verify({
  question: 'Is the bakery at Moorweg 12 open?',
  location: 'Moorweg 12, Wedel',
  proof: 'photo',
})
await legwork.tasks.wait(task.id, { timeout: '2m' })
await legwork.tasks.approve(task.id)`,
  ],
  [
    'Terminal',
    `npx @legwork/cli init
npx @legwork/cli ask "Is the bakery at Moorweg 12 open?" \\
  --photo --where "Moorweg 12, Wedel" --wait`,
  ],
  [
    'MCP',
    `{ "mcpServers": { "legwork": {
  "type": "http",
  "url": "{{legwork.public_url}}/mcp",
  "headers": { "Authorization": "Bearer \${LEGWORK_API_KEY}" }
} } }`,
  ],
] as const

const developers = `<section id="developers" class="developers"><div class="wrap">
<h2>For developers</h2>
<p class="lead">A typed SDK, a command line, an MCP server for models, and plain HTTP. Test mode is the same API with
scripted workers, {{legwork.play_money}} of play money and a clock you control.</p>
<div class="snippets">${SNIPPETS.map(
  ([name, code]) =>
    `<figure><figcaption>${name}</figcaption>
<pre tabindex="0" role="region" aria-label="${name}"><code>${escape(code)}</code></pre></figure>`,
).join('\n')}</div>
<p class="links"><a href="/docs">Docs</a>
<a href="/docs/reference">API reference</a>
<a href="/docs/mcp">MCP server</a>
<a href="/docs/test-mode">Test mode</a>
<a href="/llms.txt">llms.txt</a></p>
</div></section>`

export const frontContent = (photo: string) =>
  [hero, exampleSection(photo), how, prices, safety, disputes, developers].join('\n')
