#!/usr/bin/env node
/** `npx @legwork/mcp`: the server over stdio, with LEGWORK_API_KEY of the environment. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openMcp } from './server.ts'

if (!process.env.LEGWORK_API_KEY)
  process.stderr.write(
    'LEGWORK_API_KEY is not set: every tool will say so. `npx @legwork/cli init` makes a test key.\n',
  )

// Standard output is the protocol's alone.
const report = (error: unknown) => process.stderr.write(`${String(error)}\n`)
serveStdio(({ era }) => openMcp({ era, onDefect: report }), { onerror: report })
