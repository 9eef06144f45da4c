/** Where agents and cities are, and how large. */
import { type Chance, zipf } from './chance.ts'
import type { Setup } from './setup.ts'

const LOGICAL_SHARDS = 4096
const CITIES = 300
const CITY_EXPONENT = 0.8

/** Each cluster's share of all tasks, and the share of the largest agent. */
export function spread(
  { agents, exponent, clusters, schemasPerCluster, isBalanced }: Setup,
  chance: Chance,
) {
  const sizes = zipf(agents, exponent)
  const schemas = Array.from({ length: clusters * schemasPerCluster }, () => 0)
  for (const size of sizes) {
    const shard = Math.floor(chance() * LOGICAL_SHARDS)
    schemas[Math.floor((shard * schemas.length) / LOGICAL_SHARDS)]! += size
  }
  const shares = Array.from({ length: clusters }, () => 0)
  if (isBalanced)
    for (const size of schemas.toSorted((a, b) => b - a)) shares[indexOfMin(shares)]! += size
  else for (const [i, size] of schemas.entries()) shares[Math.floor(i / schemasPerCluster)]! += size
  return { shares, largest: sizes[0]! }
}

/** The feed's regions: cities by size, each to the cluster that has the least. */
export function spreadCities(clusters: number): number[] {
  const shares = Array.from({ length: clusters }, () => 0)
  for (const size of zipf(CITIES, CITY_EXPONENT)) shares[indexOfMin(shares)]! += size
  return shares
}

export const indexOfMax = (values: number[]) => values.indexOf(Math.max(...values))
const indexOfMin = (values: number[]) => values.indexOf(Math.min(...values))
