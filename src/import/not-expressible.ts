import type { LeftOutCode } from './left-out.ts';

/** Something live that no file can say without changing or losing it; the message is a sentence for people. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible';
  readonly code: LeftOutCode;
  constructor(message: string, code: LeftOutCode = 'not-expressible') {
    super(message);
    this.code = code;
  }
}
