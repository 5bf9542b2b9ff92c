import type { LeftOutCode } from './left-out.ts';

/** Thrown for live content that a file cannot have without a change or loss. The message is a sentence for people. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible';
  readonly code: LeftOutCode;
  constructor(message: string, code: LeftOutCode = 'not-expressible') {
    super(message);
    this.code = code;
  }
}
