/** Preloaded into a process, ends it when it connects to anything but this machine: no telemetry, no tracing. */
import net from 'node:net'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1', undefined])
const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket

net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  // Node passes its own calls on as an array.
  const [options] = args.flat() as [{ host?: string } | undefined]
  const host = typeof options === 'object' ? options.host : String(args.flat()[1])
  if (!LOOPBACK.has(host)) {
    process.stderr.write(`contacts ${host}\n`)
    process.exit(99)
  }
  return connect.apply(this, args)
} as typeof net.Socket.prototype.connect
