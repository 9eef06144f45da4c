/**
 * Finds the supported language for a tag: the same one, its base language (`es` for `es-AR`), or a variant of the same
 * base language (`pt-BR` for `pt` and `pt-PT`).
 */
export function closestLanguage<Language extends string>(
  tag: string,
  supported: readonly Language[],
): Language | undefined {
  const base = baseOf(tag)
  return (
    supported.find((language) => language === tag) ??
    supported.find((language) => language === base) ??
    supported.find((language) => baseOf(language) === base)
  )
}

const baseOf = (tag: string) => tag.split('-')[0]!.toLowerCase()
