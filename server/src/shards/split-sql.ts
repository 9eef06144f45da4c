/** Splits SQL at its semicolons, except in strings, quoted names, dollar quotes and comments. Comments are dropped. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token.startsWith('--')) continue
    if (token === ';') {
      statements.push(statement.trim())
      statement = ''
    } else statement += token
  }
  statements.push(statement.trim())
  return statements.filter((one) => one !== '')
}

// A comment, a dollar quote, a string, a quoted name, or else one character.
const TOKENS = /--[^\n]*|(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\s\S]/g
