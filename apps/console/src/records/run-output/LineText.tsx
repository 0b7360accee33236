/** One line of output, with colours. Text nodes only: output is untrusted and never becomes markup. */
import { useState, type CSSProperties } from 'react';
import type { OutputLine } from './line-writer';
import classes from './run-output.module.css';
import { segmentsOf } from './segments';
import type { Colour, Style } from './sgr';

/** Longer lines are cut on the screen (never in a copy), because one minified file would block the page. */
export const SHOWN_CHARACTERS = 4000;

const paint = (colour: Colour | undefined): string | undefined =>
  typeof colour === 'number' ? `var(--ansi-${colour})` : colour;

/** Programs choose colours without knowing our background, so these are mixed with the text colour to stay readable. */
const readable = (colour: Colour | undefined, onOwnBackground: boolean): string | undefined =>
  typeof colour === 'string' && !onOwnBackground
    ? `color-mix(in oklab, ${colour} 45%, var(--output-text))`
    : paint(colour);

const cssOf = (style: Style): CSSProperties => {
  const [fg, bg] = style.inverse ? [style.bg, style.fg] : [style.fg, style.bg];
  return {
    color: style.inverse && fg === undefined ? 'var(--output-ground)' : readable(fg, bg !== undefined),
    background: style.inverse && bg === undefined ? 'var(--output-text)' : paint(bg),
    fontWeight: style.bold ? 700 : undefined,
    fontStyle: style.italic ? 'italic' : undefined,
    textDecoration:
      [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ') || undefined,
  };
};

export interface LineTextProps {
  line: OutputLine;
  hits: readonly { from: number; to: number }[];
  /** Start of the current search hit. */
  current?: number;
}

export const LineText = ({ line, hits, current }: LineTextProps) => {
  const [whole, setWhole] = useState(false);
  const max = whole ? Infinity : SHOWN_CHARACTERS;
  const hidden = line.text.length - max;
  let at = 0;
  return (
    <>
      {segmentsOf(line, hits, max).map(({ text, style, hit }) => {
        const from = at;
        at += text.length;
        const className = style.dim ? classes.dim : undefined;
        if (hit)
          return (
            <mark key={from} className={classes.hit} data-current={from === current || undefined}>
              {text}
            </mark>
          );
        return Object.keys(style).length === 0 ? (
          text
        ) : (
          <span key={from} style={cssOf(style)} className={className}>
            {text}
          </span>
        );
      })}
      {hidden > 0 && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          … {hidden.toLocaleString('en')} more characters
        </button>
      )}
    </>
  );
};
