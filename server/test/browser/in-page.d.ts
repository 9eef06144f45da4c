export declare function survey(targetMin: number): {
  width: number
  language: string
  headings: number
  mains: number
  nameless: string[]
  small: string[]
}
export declare function focused(): { name: string; isSeen: boolean } | undefined
export declare function hasFocus(selector: string): boolean
