/** The API reference, generated from openapi.json. One page that works without JavaScript. */
import { escape } from './html.ts'
import type { Heading } from './markdown.ts'
import { type Document, type Operation, operationsOf, resourcesOf } from './openapi.ts'
import { panelOf, panelsOf } from './panel.ts'
import { samplesOf } from './samples.ts'
import {
  boundsOf,
  capital,
  exampleOf,
  fieldsHtml,
  fieldsMarkdown,
  inlineCode,
  type SharedObjects,
  sharedObjects,
  typeOf,
} from './schema.ts'

/** Errors that any endpoint can return; limits.md and errors.md explain them. */
const EVERYWHERE = new Set([
  'invalid_json',
  'body_timeout',
  'body_too_large',
  'wrong_content_type',
  'idempotency_mismatch',
  'idempotency_in_progress',
  'rate_limited',
  'server_error',
  'unavailable',
])

export function renderReference(document: Document) {
  const resources = resourcesOf(document)
  const operations = operationsOf(document)
  const shared = sharedObjects(operations)
  const inTasks = operations.find(({ name }) => name === 'POST /tasks')!
  const headings: Heading[] = []
  const html = resources
    .map(({ title, lead, operations: some }) => {
      const anchor = title.toLowerCase().replaceAll(' ', '-')
      headings.push({ level: 2, text: title, anchor })
      for (const { name, summary, anchor: own } of some)
        headings.push({ level: 3, text: `${name}: ${summary}`, anchor: own })
      return `<section class="resource"><div class="row with-code"><div class="prose">
<h2 id="${anchor}"><a class="anchor" href="#${anchor}">${title}</a></h2><p>${escape(lead)}</p></div>
<div class="code"><ul class="endpoints" aria-label="Endpoints of ${title}">${some
        .map(
          (one) => `<li><a href="#${one.anchor}">${methodHtml(one)} ${escape(one.path)}</a></li>`,
        )
        .join('')}</ul></div></div>
${some.map((operation) => operationHtml(operation, shared, inTasks)).join('\n')}</section>`
    })
    .join('\n')
  headings.push({ level: 2, text: 'Objects', anchor: 'objects' })
  const objects = `<section class="resource"><div class="row"><div class="prose">
<h2 id="objects"><a class="anchor" href="#objects">Objects</a></h2>
<p>Objects that several responses share.</p></div></div>
${[...shared.values()]
  .map(
    ({ name, anchor, schema }) =>
      `<div class="row"><div class="prose">
<h3 id="${anchor}"><a class="anchor" href="#${anchor}">${name}</a></h3>${fieldsHtml(schema, shared)}</div></div>`,
  )
  .join('\n')}</section>`
  return {
    headings,
    html: html + objects,
    markdown: resources
      .map(
        ({ title, lead, operations: some }) =>
          `## ${title}\n\n${lead}\n\n${some.map((one) => operationMarkdown(one, shared, inTasks)).join('\n')}`,
      )
      .concat(
        '## Objects\n',
        [...shared.values()].map(
          ({ name, schema }) => `### ${name}\n\n${fieldsMarkdown(schema, shared)}`,
        ),
      )
      .join('\n'),
  }
}

/**
 * The fields of a body, required ones first. A shorthand accepts all fields of POST /tasks: only its own are listed.
 */
function ownFields({ body, name }: Operation, inTasks: Operation) {
  if (body === undefined) return undefined
  const all = Object.entries(body.properties ?? {})
  const own = all.filter(
    ([field, schema]) =>
      name === inTasks.name ||
      JSON.stringify(inTasks.body!.properties![field]) !== JSON.stringify(schema),
  )
  const isShort = own.length + 5 < all.length
  const isOptional = ([field]: [string, unknown]) => Number(!body.required?.includes(field))
  const shown = (isShort ? own : all).toSorted((a, b) => isOptional(a) - isOptional(b))
  return { schema: { ...body, properties: Object.fromEntries(shown) }, isShort }
}

function operationHtml(operation: Operation, shared: SharedObjects, inTasks: Operation): string {
  const { name, method, path, anchor, summary, description, success, caller } = operation
  const parameters = operation.parameters.filter(({ in: where }) => where !== 'header')
  const body = ownFields(operation, inTasks)
  const parts = [
    parameters.length > 0
      ? `<h4>Parameters</h4><ul class="fields">${parameters
          .map(
            ({ name: field, schema, required, description: words, in: where }) =>
              `<li><p class="field"><code>${field}</code>
<span class="type">${escape(typeOf(schema))}, in the ${where}</span>${
                required ? ' <span class="required">required</span>' : ''
              }</p>${aboutParameter(words, schema)}</li>`,
          )
          .join('')}</ul>`
      : '',
    body && Object.keys(body.schema.properties ?? {}).length > 0
      ? `<h4>Body</h4>${fieldsHtml(body.schema, shared)}${
          body.isShort
            ? `<p class="also">Also: all fields of <a href="#${inTasks.anchor}"><code>POST /tasks</code></a>.</p>`
            : ''
        }`
      : '',
    success.schema?.properties
      ? `<h4>Response ${success.status}</h4>${fieldsHtml(success.schema, shared)}`
      : `<h4>Response ${success.status}</h4><p>${method === 'HEAD' ? 'Headers only.' : 'No JSON body.'}</p>`,
    errorsHtml(operation),
  ]
  const answer = success.schema?.properties
    ? panelOf({
        language: 'json',
        about: { answer: name },
        code: JSON.stringify(exampleOf(success.schema), null, 2),
      })
    : ''
  return `<div class="row with-code operation"><div class="prose">
<h3 id="${anchor}"><a class="anchor" href="#${anchor}">${escape(summary)}</a></h3>
<p class="route">${methodHtml(operation)} <code>${escape(path)}</code> <span class="caller">${
    { agent: 'API key', worker: 'worker token', anyone: 'no key' }[caller]
  }</span></p>
${description ? `<p>${inlineCode(description)}</p>` : ''}
${parts.join('\n')}
</div><div class="code"><div class="sticky">${panelsOf(samplesOf(operation))}${answer}</div></div></div>`
}

const methodHtml = ({ method }: Operation) => `<span class="method ${method}">${method}</span>`

function aboutParameter(words: string | undefined, schema: Parameters<typeof boundsOf>[0]): string {
  const values = schema.enum?.map((value) => `<code>${escape(String(value))}</code>`).join(', ')
  const details = [
    words ? inlineCode(words) : '',
    values ? `One of ${values}` : '',
    capital(boundsOf(schema)),
  ]
    .filter((text) => text !== '')
    .join('. ')
  return details === '' ? '' : `<p class="about">${details}</p>`
}

function errorsHtml({ errors }: Operation): string {
  const own = errors.filter(({ code }) => !EVERYWHERE.has(code))
  if (own.length === 0) return ''
  return `<h4>Specific errors</h4><ul class="codes">${own
    .map(
      ({ status, code }) =>
        `<li><a href="/docs/errors/${code}"><span class="status">${status}</span> ${code}</a></li>`,
    )
    .join('')}</ul>`
}

function operationMarkdown(
  operation: Operation,
  shared: SharedObjects,
  inTasks: Operation,
): string {
  const { name, summary, description, success, errors } = operation
  const parameters = operation.parameters
    .filter(({ in: where }) => where !== 'header')
    .map(
      ({ name: field, in: where, schema, required, description: words }) =>
        `- \`${field}\` (${where}): ${typeOf(schema)}${required ? ', required' : ''}${words ? `; ${words}` : ''}\n`,
    )
    .join('')
  const body = ownFields(operation, inTasks)
  return [
    `### ${name}: ${summary}\n`,
    description ? `${description}\n` : '',
    parameters === '' ? '' : `Parameters:\n\n${parameters}`,
    body ? `Body:\n\n${fieldsMarkdown(body.schema, shared)}` : '',
    body?.isShort ? 'Also: all fields of `POST /tasks`.\n' : '',
    `Response ${success.status}${
      success.schema?.properties ? `:\n\n${fieldsMarkdown(success.schema, shared)}` : '.\n'
    }`,
    `Errors: ${errors.map(({ status, code }) => `${status} \`${code}\``).join(', ')}\n`,
    ...samplesOf(operation).map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\`\n`),
  ]
    .filter((text) => text !== '')
    .join('\n')
}
