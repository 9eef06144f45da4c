#!/usr/bin/env node
/** `npx @legwork/mcp`: runs the server over stdio, using LEGWORK_API_KEY from the environment. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openMcp } from './server.ts'

if (!process.env.LEGWORK_API_KEY)
  process.stderr.write(
    'LEGWORK_API_KEY is not set: every tool will say so. `npx @legwork/cli init` makes a test key.\n',
  )

// stdout is reserved for the protocol.
const report = (error: unknown) => process.stderr.write(`${String(error)}\n`)
serveStdio(({ era }) => openMcp({ era, onDefect: report }), { onerror: report })
