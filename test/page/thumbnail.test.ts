import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { makeSmaller } from '../../src/page/thumbnail.ts';

const RED = [200, 0, 0, 255];
const BLUE = [0, 0, 200, 255];

/** Red on the left, blue on the right. */
function paint(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at += 1) data.set((at % width) * 2 < width ? RED : BLUE, at * 4);
  return data;
}

function read(small: Buffer) {
  const { width, height, data } = jpeg.decode(small, { useTArray: true });
  const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
  return { width, height, at };
}

/** Exif as cameras write it, in either order of bytes, with the orientation as its second entry. */
function exifOf(order: 'II' | 'MM', orientation: number) {
  const bytes = Buffer.alloc(6 + 8 + 2 + 24 + 4);
  bytes.write('Exif\0\0', 'latin1');
  bytes.write(order, 6, 'latin1');
  const set = (value: number, at: number, size: 2 | 4) =>
    order === 'II' ? bytes.writeUIntLE(value, at, size) : bytes.writeUIntBE(value, at, size);
  set(42, 8, 2);
  set(8, 10, 4);
  set(2, 14, 2);
  set(0x010f, 16, 2);
  set(0x0112, 28, 2);
  set(3, 30, 2);
  set(1, 32, 4);
  set(orientation, 36, 2);
  return bytes;
}

function aJpeg({ width = 40, height = 20, exifBuffer = Buffer.alloc(0) } = {}): Buffer {
  const picture = { width, height, data: paint(width, height), exifBuffer };
  return jpeg.encode(picture, 90).data;
}

describe('a picture that is made smaller', () => {
  it('keeps its form and its colours, and is not made larger', () => {
    const { width, height, at } = read(makeSmaller(aJpeg({ width: 1_000, height: 250 }), 'image/jpeg'));
    expect([width, height]).toEqual([640, 160]);
    expect(read(makeSmaller(aJpeg(), 'image/jpeg'))).toMatchObject({ width: 40, height: 20 });
    for (const [index, value] of at(100, 80).entries()) expect(value).toBeCloseTo(RED[index] ?? 0, -1.5);
    for (const [index, value] of at(500, 80).entries()) expect(value).toBeCloseTo(BLUE[index] ?? 0, -1.5);
  });

  it('is on white where it shines through', () => {
    const png = new PNG({ width: 8, height: 8 });
    png.data.fill(0);
    const { at } = read(makeSmaller(PNG.sync.write(png), 'image/png'));
    expect(Math.min(...at(4, 4))).toBeGreaterThan(250);
  });

  it.each(['II', 'MM'] as const)(
    'is turned as the camera was held, and says nothing else of it (%s)',
    (order) => {
      const small = makeSmaller(aJpeg({ exifBuffer: exifOf(order, 6) }), 'image/jpeg');
      const exif = small.subarray(small.indexOf('Exif\0\0'));
      expect(exif.subarray(6, 8).toString()).toBe('MM');
      expect(exif.readUInt16BE(14)).toBe(1);
      expect(exif.readUInt16BE(24)).toBe(6);
    },
  );

  it('is upright where its Exif is cut', () => {
    const small = makeSmaller(aJpeg({ exifBuffer: exifOf('II', 6).subarray(0, 20) }), 'image/jpeg');
    expect(small.subarray(small.indexOf('Exif\0\0')).readUInt16BE(24)).toBe(1);
  });

  it('is refused where it is too large to decode, without decoding it', () => {
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const size = Buffer.alloc(8);
    size.writeUInt32BE(60_000, 0);
    size.writeUInt32BE(60_000, 4);
    expect(() => makeSmaller(Buffer.concat([header, size]), 'image/png')).toThrow('more than 25 megapixels');
  });

  it('is refused where the decoder would unpack whatever a PNG holds', () => {
    const png = PNG.sync.write(new PNG({ width: 4, height: 4 }));
    const interlaced = Buffer.from(png);
    interlaced[28] = 1;
    expect(() => makeSmaller(interlaced, 'image/png')).toThrow('interlaced');
    // The signature has 8 bytes, and the chunk of the header 25.
    const twice = Buffer.concat([png.subarray(0, 33), png.subarray(8)]);
    expect(() => makeSmaller(twice, 'image/png')).toThrow('a second header');
  });

  it('is refused where a JPEG has a scan after the other', () => {
    const scans = Buffer.from('ffda'.repeat(31), 'hex');
    expect(() => makeSmaller(Buffer.concat([aJpeg(), scans]), 'image/jpeg')).toThrow('more than 30 scans');
  });

  it.each([Buffer.alloc(0), Buffer.from('ffd8ff', 'hex'), Buffer.from('ffd8ffe000104a46', 'hex')])(
    'is refused where it is broken',
    (bytes) => {
      expect(() => makeSmaller(bytes, 'image/jpeg')).toThrow();
      expect(() => makeSmaller(bytes, 'image/png')).toThrow();
    },
  );
});
