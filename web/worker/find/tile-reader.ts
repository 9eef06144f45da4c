/** Reads the shapes of a vector tile (Mapbox Vector Tile 2.1), for places where MapLibre would be too heavy. */

export interface Feature {
  layer: string
  kind: 'point' | 'line' | 'area'
  tags: Record<string, string | number>
  /** In tile coordinates. */
  parts: [x: number, y: number][][]
  extent: number
}

const KINDS = ['point', 'point', 'line', 'area'] as const
const TEXT = new TextDecoder()

/** Only these layers are read. */
export function readTile(tile: Uint8Array, layers: string[]): Feature[] {
  const found: Feature[] = []
  for (const { id, bytes } of fieldsOf(tile)) {
    const name = id === 3 && bytes ? layerName(bytes) : undefined
    if (name !== undefined && layers.includes(name)) found.push(...readLayer(bytes!, name))
  }
  return found
}

function layerName(layer: Uint8Array): string | undefined {
  for (const { id, bytes } of fieldsOf(layer)) if (id === 1) return TEXT.decode(bytes)
  return undefined
}

function readLayer(layer: Uint8Array, name: string): Feature[] {
  const keys: string[] = []
  const values: (string | number)[] = []
  const features: Uint8Array[] = []
  let extent = 4096
  for (const { id, bytes, value } of fieldsOf(layer))
    if (id === 2) features.push(bytes!)
    else if (id === 3) keys.push(TEXT.decode(bytes))
    else if (id === 4) values.push(readValue(bytes!))
    else if (id === 5) extent = value
  return features.map((feature) => {
    let kind: Feature['kind'] = 'point'
    let parts: Feature['parts'] = []
    const tags: Feature['tags'] = {}
    for (const { id, bytes, value } of fieldsOf(feature))
      if (id === 2) {
        const marks = numbersIn(bytes!)
        for (let i = 0; i + 1 < marks.length; i += 2)
          tags[keys[marks[i]!]!] = values[marks[i + 1]!]!
      } else if (id === 3) kind = KINDS[value] ?? 'point'
      else if (id === 4) parts = readParts(numbersIn(bytes!))
    return { layer: name, kind, tags, parts, extent }
  })
}

function readValue(bytes: Uint8Array): string | number {
  const [first] = fieldsOf(bytes)
  if (first === undefined) return ''
  const { id, bytes: text, value, at } = first
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (id === 1) return TEXT.decode(text)
  if (id === 2) return view.getFloat32(at, true)
  if (id === 3) return view.getFloat64(at, true)
  return id === 6 ? signed(value) : value
}

const [MOVE, LINE] = [1, 2]

function readParts(commands: number[]): Feature['parts'] {
  const parts: Feature['parts'] = []
  let [x, y] = [0, 0]
  for (let i = 0; i < commands.length; ) {
    const [command, count] = [commands[i]! & 7, commands[i]! >> 3]
    i += 1
    if (command !== MOVE && command !== LINE) continue
    for (let n = 0; n < count; n += 1, i += 2) {
      x += signed(commands[i]!)
      y += signed(commands[i + 1]!)
      if (command === MOVE) parts.push([])
      parts.at(-1)!.push([x, y])
    }
  }
  return parts
}

const signed = (value: number) => (value >>> 1) ^ -(value & 1)

interface Field {
  id: number
  /** The content of a field with a length. */
  bytes: Uint8Array | undefined
  /** The content of a number field. */
  value: number
  /** Where the content starts. */
  at: number
}

/** The fields of a protobuf message. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const [tag, start] = varintAt(message, at)
    const [id, type] = [tag >>> 3, tag & 7]
    if (type === 0) {
      const [value, end] = varintAt(message, start)
      yield { id, bytes: undefined, value, at: start }
      at = end
    } else if (type === 2) {
      const [length, from] = varintAt(message, start)
      yield { id, bytes: message.subarray(from, from + length), value: 0, at: from }
      at = from + length
    } else {
      yield { id, bytes: undefined, value: 0, at: start }
      at = start + (type === 1 ? 8 : 4)
    }
  }
}

function numbersIn(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const [value, end] = varintAt(bytes, at)
    numbers.push(value)
    at = end
  }
  return numbers
}

function varintAt(bytes: Uint8Array, start: number): [value: number, end: number] {
  let [value, factor, at] = [0, 1, start]
  for (; (bytes[at] ?? 0) >= 128; at += 1, factor *= 128) value += (bytes[at]! - 128) * factor
  return [value + (bytes[at] ?? 0) * factor, at + 1]
}
