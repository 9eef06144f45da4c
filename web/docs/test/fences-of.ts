import { type Fence, readInfo } from '../fences.ts'

/** The code blocks of a page. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^```(\S.*)?\n([^]*?)^```$/gm)].map(({ 1: info, 2: code, index }) => ({
    ...readInfo(info ?? ''),
    code: code!,
    line: page.slice(0, index).split('\n').length,
  }))
}
