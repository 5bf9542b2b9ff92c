import { parse } from 'lossless-json';

/** Larger files are not plans. */
const LENGTH_MAX = 256 * 1024 * 1024;

/** Parsed JSON, or what is wrong with it, as the end of a sentence. */
export type StrictJson = { readonly document: unknown } | { readonly problem: string };

/**
 * Parses a document of which every reader has to see the same: no key occurs twice, and it is not nested without end.
 * A problem never quotes the file, which may be a key by mistake.
 */
export function parseStrictJson(text: string): StrictJson {
  if (text.length > LENGTH_MAX) return { problem: 'it is larger than 256 MB' };
  let isDouble = false;
  try {
    parse(text, null, {
      parseNumber: Number,
      onDuplicateKey: ({ newValue }) => {
        isDouble = true;
        return newValue;
      },
    });
    if (isDouble) return { problem: 'a key occurs twice in it' };
    return { document: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof RangeError ? 'it is nested too deeply' : 'it is not valid JSON' };
  }
}
