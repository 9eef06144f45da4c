/** An agent's server that can be killed: `PORT FILE`. It writes down the id of every event before it responds. */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const [port, file] = process.argv.slice(2)
createServer((request, response) => {
  void text(request).then((body) => {
    appendFileSync(file!, `${(JSON.parse(body) as { id: string }).id}\n`)
    response.end()
  })
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
