/**
 * Decides which IP addresses are public, meaning they reach a machine on the internet and not in our own network. Based
 * on IANA's special-purpose address registries (RFC 6890), plus addresses that only look public.
 */
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC: Record<'ipv4' | 'ipv6', string[]> = {
  ipv4: [
    '0.0.0.0/8', // this host
    '10.0.0.0/8', // private
    '100.64.0.0/10', // carrier-grade NAT; 100.100.100.200 is Alibaba Cloud's metadata service
    '127.0.0.0/8', // loopback
    '168.63.129.16/32', // looks public, but is Azure's virtual host endpoint
    '169.254.0.0/16', // link-local; 169.254.169.254 is the metadata service of most clouds
    '172.16.0.0/12', // private
    '192.0.0.0/24', // IETF protocols; 192.0.0.192 is Oracle Cloud's metadata service
    '192.0.2.0/24', // documentation
    '192.31.196.0/24', // AS112
    '192.52.193.0/24', // AMT multicast tunnels
    '192.88.99.0/24', // 6to4 relays
    '192.168.0.0/16', // private
    '192.175.48.0/24', // AS112
    '198.18.0.0/15', // benchmarks
    '198.51.100.0/24', // documentation
    '203.0.113.0/24', // documentation
    '224.0.0.0/4', // multicast
    '240.0.0.0/4', // reserved, and broadcast
  ],
  // Everything outside 2000::/3 is refused anyway: loopback, link-local, site-local, private (fc00::/7), multicast,
  // IPv4-mapped (::ffff:0:0/96), IPv4-compatible (::/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48), and 5f00::/16.
  ipv6: [
    '2001::/23', // IETF protocols: Teredo (2001::/32), benchmarks, ORCHID and others
    '2001:db8::/32', // documentation
    '2002::/16', // 6to4
    '2620:4f:8000::/48', // AS112
    '3ffe::/16', // former 6bone test network
    '3fff::/20', // documentation
  ],
}

const unicast = rangesOf(['2000::/3'])
const notPublic = rangesOf([...NOT_PUBLIC.ipv4, ...NOT_PUBLIC.ipv6])
/** Matches ISATAP addresses: the last two groups are an IPv4 address reached through a tunnel. */
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

/** The canonical form of an IPv6 address; undefined for anything else, such as an address with a zone. */
function canonical(address: string): string | undefined {
  return URL.parse(`http://[${address}]`)?.hostname.slice(1, -1)
}

/** Builds a BlockList from CIDR ranges such as `10.0.0.0/8`. */
export function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
