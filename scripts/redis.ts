/** Starts a private Redis server for development and tests: loopback only, nothing on disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { freePort, stopChild, stopWithParent } from './postgres.ts'

export interface Redis {
  url: string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 10_000

export async function startRedis(): Promise<Redis> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const flags = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
    ]
    // Detached, so that Ctrl-C reaches only our own process.
    const child = spawn('redis-server', flags, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error('redis-server is not installed: apt-get install redis-server')
    })
    stopWithParent(child)

    let output = ''
    const isReady = await new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), START_TIMEOUT_MS).unref()
      child.once('exit', () => resolve(false))
      child.stdout.on('data', (chunk: Buffer) => {
        // Keep reading afterward: a full pipe would block the server.
        if (output.length < 10_000) output += chunk.toString()
        if (output.includes('Ready to accept connections')) resolve(true)
      })
    })
    if (isReady) {
      if (child.stdout instanceof Socket) child.stdout.unref()
      return {
        url: `redis://127.0.0.1:${port}`,
        stop: () => stopChild(child, 'SIGINT'),
      }
    }
    await stopChild(child, 'SIGKILL')
    // Another process may take the free port before we use it.
    if (attempt < 5 && output.includes('Address already in use')) continue
    throw new Error(`redis-server did not start:\n${output}`)
  }
}
