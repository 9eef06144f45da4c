import { type ComponentType, lazy } from 'react'

/** A screen that is loaded when first shown: the export `name` of its module. */
export const lazyScreen = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))
