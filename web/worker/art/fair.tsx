import { Art, Coin, Pin } from './art.tsx'

/** Scales: pay on one side, a person's review on the other. */
export const FairArt = ({ size }: { size: string }) => (
  <Art size={size}>
    <path d="M80 50v52m-18 0h36M40 40h80M40 40 22 74m18-34 18 34m62-34-18 34m18-34 18 34" />
    <Coin x={40} y={66} />
    <path
      className="fill-art-paper"
      d="M110 47h20a4 4 0 0 1 4 4v9a4 4 0 0 1-4 4h-10l-6 6v-6h-4a4 4 0 0 1-4-4v-9a4 4 0 0 1 4-4Z"
    />
    <path
      className="fill-art-shade"
      d="M20 76h40c0 9-8 14-20 14s-20-5-20-14Zm80 0h40c0 9-8 14-20 14s-20-5-20-14Z"
    />
    <Pin x={80} y={56} />
  </Art>
)
