import { appConfig } from '../shared/build/app-config.ts'
import { WORKER } from '../shared/build/apps.ts'
import { world } from './build/geo.ts'
import { messages } from './build/messages.ts'
import { preloadStart } from './build/preload.ts'

export default appConfig(WORKER, {
  publicDir: 'worker/public',
  plugins: [messages(), world(), preloadStart()],
  resolve: {
    alias: {
      // Messages are parsed when the app is built; the phone gets none of the parser.
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
    },
  },
  build: {
    // All that the first list of tasks needs is one file: each further one costs a cheap phone a kilobyte of headers,
    // and what is compressed together is smaller. The first script stays apart: it runs before that one is there.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'main',
              test: /\/web\/(?:worker\/(?:main|api|text\/languages)|shared\/(?:theme|api\/client))\.ts$/,
              priority: 2,
            },
            { name: 'start', test: /\/web\/worker\/start\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
