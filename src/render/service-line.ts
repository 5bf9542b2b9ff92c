import { serviceWords, type ServiceIdentity } from '../domain/service-identity.ts';
import { shown, type Visible, visible } from '../domain/visible.ts';
import { drawLine, span, type TextStyle } from './spans.ts';

/** `Service: https://api.example (from herald.yaml)`. */
export function drawService(service: ServiceIdentity, style: TextStyle): readonly Visible[] {
  return drawLine([span(shown`Service: `), span(visible(serviceWords(service)), 'strong')], style);
}
