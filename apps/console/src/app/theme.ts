/**
 * Defines colours, type and density: neutral greys, one accent, four meanings, at AA contrast in light and dark.
 *
 * The variables go into a constructed style sheet. The component library would add a `<style>` element, which the
 * content security policy refuses.
 */
import {
  convertCssVariables,
  createTheme,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
} from '@mantine/core';
import { typeAhead } from '../ui/type-ahead';

type Shades = MantineColorsTuple;

const gray: Shades = [
  '#fafafa',
  '#f4f4f5',
  '#e6e6e9',
  '#d4d4d8',
  '#a8a8b2',
  '#71717c',
  '#5b5b65',
  '#3f3f46',
  '#27272a',
  '#18181b',
];
const dark: Shades = [
  '#ececee',
  '#c8c8cf',
  '#a3a3ad',
  '#8b8b96',
  '#3b3b42',
  '#2a2a2f',
  '#1b1b1e',
  '#111113',
  '#0c0c0e',
  '#060607',
];
const accent: Shades = [
  '#eff1fd',
  '#dfe3fa',
  '#c3caf5',
  '#a6b0ef',
  '#8f9bea',
  '#7682e2',
  '#5b67d1',
  '#4d58bb',
  '#3e479a',
  '#2f3675',
];
const red: Shades = [
  '#fef1f0',
  '#fde0de',
  '#fabdb8',
  '#f79890',
  '#f37a70',
  '#e5483b',
  '#cf2e22',
  '#b3261c',
  '#8f1f17',
  '#6d1812',
];
const green: Shades = [
  '#edfaf1',
  '#d3f3dd',
  '#a6e5bb',
  '#75d496',
  '#4bc277',
  '#26a35a',
  '#1a7f45',
  '#16693a',
  '#12542e',
  '#0d3d21',
];
const yellow: Shades = [
  '#fff8e6',
  '#feedc0',
  '#fbdb85',
  '#f6c64c',
  '#eeb221',
  '#c98f0a',
  '#946600',
  '#7d5600',
  '#634400',
  '#4a3300',
];
const blue: Shades = [
  '#edf5fe',
  '#d7e8fc',
  '#aed0f8',
  '#82b6f3',
  '#5c9eee',
  '#3682e0',
  '#2268c5',
  '#1b57a6',
  '#164786',
  '#103565',
];

/** The page behind a dialog stays readable, since it often has the information that the dialog asks about. */
const overlayProps = { backgroundOpacity: 0.35, blur: 0 };

/** Listed after the generic family, so that it is used only for characters that no other font has. */
const EMOJI = '"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';

/** Maximum height of a dropdown list, from the specification. */
const SELECT_HEIGHT = '14rem';

export const theme = createTheme({
  colors: { gray, dark, accent, red, green, yellow, blue },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  white: '#ffffff',
  black: '#18181b',
  fontFamily: `system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif, ${EMOJI}`,
  fontFamilyMonospace: `ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace, ${EMOJI}`,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: '0 4px 16px rgb(0 0 0 / 10%)',
    lg: '0 8px 28px rgb(0 0 0 / 14%)',
    xl: '0 12px 40px rgb(0 0 0 / 18%)',
  },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    /** One size for all, so `size` has no effect. As high as the controls of a toolbar and of the top bar. */
    Button: {
      vars: () => ({
        root: { '--button-height': '30px', '--button-padding-x': '12px', '--button-fz': '13px' },
      }),
    },
    Badge: { defaultProps: { tt: 'none' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', maxDropdownHeight: SELECT_HEIGHT } },
    MultiSelect: { defaultProps: { maxDropdownHeight: SELECT_HEIGHT } },
    // Only the page frame's header is a banner landmark, not the header of a dialog.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    // `lockScroll` is off because it adds a `<style>` element.
    Modal: {
      defaultProps: {
        overlayProps,
        lockScroll: false,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 120 },
      },
    },
    Drawer: {
      defaultProps: {
        overlayProps,
        lockScroll: false,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 120 },
      },
    },
    Menu: {
      // The first item takes the focus: an element of the menu that is no item may not have it.
      defaultProps: { shadow: 'md', transitionProps: { duration: 80 }, withInitialFocusPlaceholder: false },
    },
    MenuDropdown: { defaultProps: { onKeyDown: typeAhead } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Tooltip: {
      defaultProps: {
        withArrow: false,
        transitionProps: { duration: 80 },
        events: { hover: true, focus: true, touch: true },
      },
    },
  },
});

const meanings = {
  light: {
    '--mantine-color-text': gray[9],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': gray[5],
    '--mantine-color-error': red[7],
    '--mantine-color-anchor': accent[7],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-disabled-color': gray[5],
    '--mantine-color-red-light': red[0],
    '--mantine-color-green-light': green[0],
    '--mantine-color-yellow-light': yellow[0],
    '--mantine-color-blue-light': blue[0],
    '--qd-border': gray[2],
    '--qd-raised': gray[0],
    '--qd-hover': gray[1],
    '--qd-focus': accent[6],
    '--qd-flash': accent[1],
    '--qd-good': green[7],
    '--qd-good-tint': green[0],
    '--qd-good-border': green[2],
    '--qd-bad': red[7],
    '--qd-bad-tint': red[0],
    '--qd-bad-border': red[2],
    '--qd-warn': yellow[7],
    '--qd-warn-tint': yellow[0],
    '--qd-warn-border': yellow[3],
    '--qd-info': blue[7],
    '--qd-info-tint': blue[0],
    '--qd-info-border': blue[2],
  },
  dark: {
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[3],
    '--mantine-color-error': red[3],
    '--mantine-color-anchor': accent[3],
    '--mantine-color-default': dark[6],
    '--mantine-color-default-color': dark[0],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-disabled-color': dark[3],
    '--mantine-color-red-light': '#2b1210',
    '--mantine-color-green-light': '#0d2417',
    '--mantine-color-yellow-light': '#2a2008',
    '--mantine-color-blue-light': '#0e1d30',
    '--qd-border': dark[5],
    '--qd-raised': '#161618',
    '--qd-hover': dark[6],
    '--qd-focus': accent[4],
    '--qd-flash': '#272c52',
    '--qd-good': green[3],
    '--qd-good-tint': '#0d2417',
    '--qd-good-border': '#1c4a30',
    '--qd-bad': red[3],
    '--qd-bad-tint': '#2b1210',
    '--qd-bad-border': '#5c2520',
    '--qd-warn': yellow[3],
    '--qd-warn-tint': '#2a2008',
    '--qd-warn-border': '#5a4512',
    '--qd-info': blue[3],
    '--qd-info-tint': '#0e1d30',
    '--qd-info-border': '#1f3d62',
  },
};

const styleSheetText = (): string => {
  const {
    variables,
    light,
    dark: night,
  } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return convertCssVariables({
    variables,
    light: { ...light, ...meanings.light },
    dark: { ...night, ...meanings.dark },
  });
};

export const adoptTheme = (): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleSheetText());
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
