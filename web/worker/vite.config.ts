import { appConfig } from '../shared/build/app-config.ts'
import { WORKER } from '../shared/build/apps.ts'
import { fonts } from './build/fonts.ts'
import { mapData } from './build/geo.ts'
import { messages } from './build/messages.ts'
import { preloadStart } from './build/preload.ts'

export default appConfig(WORKER, {
  publicDir: 'worker/public',
  plugins: [messages(), mapData(), fonts(), preloadStart()],
  resolve: {
    alias: {
      // Messages are parsed at build time, so the app ships without the parser.
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
    },
  },
  build: {
    // Bundle everything the first task list needs into one file: each further file costs a cheap phone a kilobyte of
    // headers, and one file compresses better. The entry script stays separate, since it runs before that file has
    // loaded.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'main',
              test: /\/web\/(?:worker\/(?:main|api|typefaces|text\/.*languages?)|shared\/(?:theme|api\/client))\.ts$/,
              priority: 2,
            },
            { name: 'start', test: /\/web\/worker\/start\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
