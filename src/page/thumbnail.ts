import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

/** The longer side of a picture that was made smaller, in pixels: sharp where the page shows it, also on fine screens. */
const SIDE_MAX = 640;
/** Of 100, for JPEG. */
const QUALITY = 75;
/** Pictures of more pixels are not decoded: a small file can hold a very large one. */
const MEGAPIXELS_MAX = 25;
const MEMORY_MAX_MB = 512;
/** A camera writes ten at most. Each one costs a walk over all pixels, however few bytes it has. */
const SCANS_MAX = 30;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Row by row, `channels` bytes each. */
  readonly data: Uint8Array;
  readonly channels: 3 | 4;
}

/** A small JPEG of a PNG or a JPEG, turned as it is. Throws for what cannot be decoded, or is too large for that. */
export function makeSmaller(content: Buffer, type: 'image/png' | 'image/jpeg'): Buffer {
  const small = shrink(type === 'image/png' ? decodePng(content) : decodeJpeg(content));
  const turned = type === 'image/png' ? {} : { exifBuffer: describeOrientation(readOrientation(content)) };
  return jpeg.encode({ ...small, ...turned }, QUALITY).data;
}

function decodeJpeg(content: Buffer): Pixels {
  let scans = 0;
  for (let at = content.indexOf(START_OF_SCAN); at !== -1; at = content.indexOf(START_OF_SCAN, at + 2))
    scans += 1;
  if (scans > SCANS_MAX) throw new Error(`more than ${SCANS_MAX} scans`);
  const { width, height, data } = jpeg.decode(content, {
    useTArray: true,
    formatAsRGBA: false,
    maxResolutionInMP: MEGAPIXELS_MAX,
    maxMemoryUsageInMB: MEMORY_MAX_MB,
  });
  return { width, height, data, channels: 3 };
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/**
 * A PNG begins with its signature and its header. Of an interlaced one, the decoder unpacks whatever there is, and a second
 * header would count in place of the first.
 */
function decodePng(content: Buffer): Pixels {
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)];
  if (width * height > MEGAPIXELS_MAX * 1e6) throw new Error(`more than ${MEGAPIXELS_MAX} megapixels`);
  if (content[28] !== 0) throw new Error('interlaced');
  if (content.indexOf('IHDR', 16, 'latin1') !== -1) throw new Error('a second header');
  return { width, height, data: PNG.sync.read(content).data, channels: 4 };
}

/** Each new pixel is the mean of those that it stands for. What shines through is drawn on white. */
function shrink({ width, height, data, channels }: Pixels): jpeg.RawImageData<Uint8Array> {
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  const small = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const made = new Uint8Array(small.width * small.height * 4).fill(255);
  for (let y = 0; y < small.height; y += 1)
    for (let x = 0; x < small.width; x += 1) {
      const [top, bottom] = findSpan(y, small.height, height);
      const [left, right] = findSpan(x, small.width, width);
      const sums = [0, 0, 0];
      for (let row = top; row < bottom; row += 1)
        for (let column = left; column < right; column += 1) {
          const at = (row * width + column) * channels;
          const opacity = channels === 4 ? (data[at + 3] ?? 255) / 255 : 1;
          for (let colour = 0; colour < 3; colour += 1)
            sums[colour] = (sums[colour] ?? 0) + (data[at + colour] ?? 0) * opacity + 255 * (1 - opacity);
        }
      const count = (bottom - top) * (right - left);
      sums.forEach((sum, colour) => (made[(y * small.width + x) * 4 + colour] = Math.round(sum / count)));
    }
  return { ...small, data: made };
}

/** The source pixels of one new pixel, in one direction: from the first to before the second. */
function findSpan(at: number, of: number, length: number): readonly [number, number] {
  const from = Math.floor((at * length) / of);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * length) / of))];
}

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION = 0x0112;
/** Exif is in the first segments of a file, each of at most 64 KB. */
const EXIF_WITHIN = 128 * 1024;

/** How a camera was held, by its Exif: 1 to 8, where 1 is upright. The stored pixels are not turned. */
function readOrientation(content: Buffer): number {
  const start = content.subarray(0, EXIF_WITHIN).indexOf(EXIF);
  if (start === -1) return 1;
  const exif = content.subarray(start + EXIF.length);
  const isLittle = exif.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  try {
    const directory = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
    for (let entry = 0; entry < read16(directory); entry += 1) {
      const at = directory + 2 + entry * 12;
      if (read16(at) === ORIENTATION) return read16(at + 8);
    }
  } catch {
    // An Exif that is cut tells nothing.
  }
  return 1;
}

/** An Exif with nothing but the orientation: where and with what the picture was taken does not belong into a page. */
function describeOrientation(orientation: number): Buffer {
  const exif = Buffer.alloc(32);
  EXIF.copy(exif);
  exif.write('MM', 6, 'latin1');
  exif.writeUInt16BE(42, 8);
  // One directory, right behind this header of eight bytes, of one entry: a number of two bytes.
  exif.writeUInt32BE(8, 10);
  exif.writeUInt16BE(1, 14);
  exif.writeUInt16BE(ORIENTATION, 16);
  exif.writeUInt16BE(3, 18);
  exif.writeUInt32BE(1, 20);
  exif.writeUInt16BE(orientation, 24);
  return exif;
}
