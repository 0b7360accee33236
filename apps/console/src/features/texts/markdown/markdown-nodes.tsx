/**
 * Makes React elements from the HTML of `micromark`. Only elements that Markdown has are made, so nothing in the text can
 * run. A picture is named instead of shown: the preview must not tell another host who is writing.
 */
import { VisuallyHidden } from '@mantine/core';
import { createElement, type ReactNode } from 'react';

const PLAIN = new Set(['p', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 'br', 'hr']);
const HEADING = /^h([1-6])$/;
const ELSEWHERE = /^(?:https?:\/\/|mailto:)/i;

export const nodesOf = (html: string): ReactNode[] =>
  // The document of a parser loads nothing and runs nothing.
  childrenOf(new DOMParser().parseFromString(html, 'text/html').body);

const childrenOf = (parent: Element): ReactNode[] =>
  Array.from(parent.childNodes, (child, at) =>
    child instanceof Element ? elementOf(child, at) : child.textContent,
  );

const elementOf = (element: Element, key: number): ReactNode => {
  const name = element.localName;
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined)
    // The headings of a text must not mix with those of the page.
    return (
      <p key={key} data-level={level}>
        <VisuallyHidden component="span">Heading {level}: </VisuallyHidden>
        {childrenOf(element)}
      </p>
    );
  if (name === 'img')
    return (
      <span key={key} data-picture>
        Picture: {element.getAttribute('alt') || element.getAttribute('src') || 'without an address'}
      </span>
    );
  if (name === 'a') return linkOf(element, key);
  if (!PLAIN.has(name)) return childrenOf(element);
  const start = name === 'ol' ? element.getAttribute('start') : null;
  const children = childrenOf(element);
  return createElement(
    name,
    { key, ...(start !== null && { start: Number(start) }) },
    ...(children.length > 0 ? [children] : []),
  );
};

/** An address without a host belongs to the product's pages, not to the console. */
const linkOf = (element: Element, key: number): ReactNode => {
  const href = element.getAttribute('href') ?? '';
  const words = childrenOf(element);
  return ELSEWHERE.test(href) ? (
    <a key={key} href={href} target="_blank" rel="noreferrer">
      {words}
    </a>
  ) : (
    <span key={key} data-link title={href === '' ? 'This link has no valid address' : href}>
      {words}
    </span>
  );
};
