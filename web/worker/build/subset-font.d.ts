declare module 'subset-font' {
  interface Options {
    targetFormat: 'woff2'
    /** A number pins an axis, a range limits it. */
    variationAxes: Record<string, number | { min: number; max: number }>
    /** OpenType features that stay. */
    keepFeatures: string[]
    /** Entries of the font's name table that stay. */
    preserveNameIds: number[]
    noHinting: boolean
  }
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: Options,
  ): Promise<Buffer>
}

declare module 'virtual:fonts' {
  const faces: { family: string; weight: string; url: string }[]
  export default faces
}
