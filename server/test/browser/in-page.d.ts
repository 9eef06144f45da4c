export declare function motionEnded(): Promise<void>
export declare function survey(targetMin: number): {
  width: number
  language: string
  headings: number
  mains: number
  nameless: string[]
  small: string[]
}
export declare function widthAt(
  percent: number,
  widest: number,
): { width: number; culprits: string[] }
export declare function focused(): { name: string; isSeen: boolean; isCovered: boolean } | undefined
export declare function hasFocus(selector: string): boolean
export declare function isWhole(loading: string): boolean
export declare function untranslated(names: string[]): string[]
export declare function moving(): string[]
export declare function endsOf(
  words: string,
  direction?: 'ltr' | 'rtl',
): { first: number; last: number }
export declare function scaleOf(selector: string): string
