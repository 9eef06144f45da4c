/** The collector of `npm run bench:create -- --traces`, in a separate process: accepts spans and keeps nothing. */
import { createServer } from 'node:http'

process.once('disconnect', () => process.exit())

createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200).end())
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'))
