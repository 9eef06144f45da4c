// n8n's own linter for community nodes. The rest of the style is checked like all code of this repository.
import { configs } from '@n8n/eslint-plugin-community-nodes'
import * as parser from '@typescript-eslint/parser'

export default [
  { ignores: ['dist/**', 'test/**', '*.mjs'] },
  { ...configs.recommended, files: ['**/*.ts', 'package.json'] },
  {
    files: ['**/*.ts', 'package.json'],
    languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
  },
]
