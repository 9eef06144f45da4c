/**
 * Which addresses are public: those that lead to a machine on the internet that is neither ours nor our neighbour's.
 * From the registers of special addresses of IANA (RFC 6890), with what only looks public.
 */
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC: Record<'ipv4' | 'ipv6', string[]> = {
  ipv4: [
    '0.0.0.0/8', // this host
    '10.0.0.0/8', // private
    '100.64.0.0/10', // shared by a carrier's customers; 100.100.100.200 is the metadata of Alibaba's machines
    '127.0.0.0/8', // loopback
    '168.63.129.16/32', // looks public, and is the host of Azure's machines
    '169.254.0.0/16', // link-local; 169.254.169.254 is the metadata of most clouds' machines
    '172.16.0.0/12', // private
    '192.0.0.0/24', // protocols; 192.0.0.192 is the metadata of Oracle's machines
    '192.0.2.0/24', // documentation
    '192.31.196.0/24', // AS112
    '192.52.193.0/24', // multicast tunnels
    '192.88.99.0/24', // 6to4 relays
    '192.168.0.0/16', // private
    '192.175.48.0/24', // AS112
    '198.18.0.0/15', // benchmarks
    '198.51.100.0/24', // documentation
    '203.0.113.0/24', // documentation
    '224.0.0.0/4', // multicast
    '240.0.0.0/4', // reserved, and broadcast
  ],
  // Beside what is outside 2000::/3: there are loopback, link-local, site-local, private (fc00::/7), multicast, mapped
  // (::ffff:0:0/96), compatible (::/96) and translated (64:ff9b::/96, 64:ff9b:1::/48) addresses of IPv4, and 5f00::/16.
  ipv6: [
    '2001::/23', // protocols: Teredo (2001::/32), benchmarks, ORCHID and others
    '2001:db8::/32', // documentation
    '2002::/16', // 6to4
    '2620:4f:8000::/48', // AS112
    '3ffe::/16', // the test network of old
    '3fff::/20', // documentation
  ],
}

const unicast = rangesOf(['2000::/3'])
const notPublic = rangesOf([...NOT_PUBLIC.ipv4, ...NOT_PUBLIC.ipv6])
/** The last four groups when the last two are an address of IPv4 that is reached through a tunnel (ISATAP). */
const TUNNELLED = /:(?:0|200)?:5efe:(?:[\da-f]+:[\da-f]+|:)$/

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4')
  const written = canonical(address)
  return (
    written !== undefined &&
    unicast.check(written, 'ipv6') &&
    !notPublic.check(written, 'ipv6') &&
    !TUNNELLED.test(written)
  )
}

/** The one way to write an address of IPv6; undefined for anything else, as one with a zone. */
function canonical(address: string): string | undefined {
  return URL.parse(`http://[${address}]`)?.hostname.slice(1, -1)
}

/** Addresses to be held against ranges, each written as `10.0.0.0/8`. */
export function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
