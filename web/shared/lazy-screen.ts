import { type ComponentType, lazy } from 'react'

/** A screen that is fetched when it is first shown: the export `name` of its module. */
export const lazyScreen = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))
