/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What states look like: a colour, a pattern and a letter each, in the order in which they are
 * stacked where several share a column. The colours are those that nearly everybody tells apart
 * (after Okabe and Ito); what is nothing to worry about is pale.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  // Sizes of tiles in device pixels: a power of two.
  const TILE = 16;

  // A pattern: whether the second colour is at a place of the tile.
  const plain = () => false;
  const rising = (x, y) => (x + y) % 8 < 3;
  const falling = (x, y) => (x - y + TILE) % 8 < 2;
  const dots = (x, y) => x % 8 < 2 && y % 8 < 2;
  const lying = (x, y) => y % 8 < 2;
  const standing = x => x % 8 < 2;
  const crossed = (x, y) => rising(x, y) && (x + y) % 8 < 2 || falling(x, y);
  const checked = (x, y) => (x % 8 < 4) === (y % 8 < 4);

  // [key, words, letter, pattern, [light: colour, second], [dark: colour, second]]
  const looks = [
    ['running', 'running', '', plain, ['#2a9d6f', '#2a9d6f'], ['#2fa878', '#2fa878']],
    ['service', 'in service', '', plain, ['#7a5195', '#7a5195'], ['#a57bc4', '#a57bc4']],
    ['runnable', 'runnable, no CPU', 'R', rising, ['#f7c948', '#d99a00'],
      ['#d9a520', '#8f6a00']],
    ['queue', 'in queue', '', rising, ['#d3c3e3', '#b39ccb'], ['#54436a', '#6f5a88']],
    ['task', 'waits for a task', 'T', plain, ['#6db6e8', '#6db6e8'], ['#4a94c8', '#4a94c8']],
    ['lock', 'waits for a lock', 'L', standing, ['#c8649b', '#b04c84'], ['#c8649b', '#a3437a']],
    ['disk', 'waits for a disk', 'D', plain, ['#d6591a', '#d6591a'], ['#dc6428', '#dc6428']],
    ['net', 'waits for the network', 'N', falling, ['#1f6fb5', '#3f8acb'],
      ['#2f7fc6', '#1d5f9c']],
    ['memory', 'waits for memory', 'M', crossed, ['#8a5a44', '#a67560'], ['#a06a50', '#7c4f3a']],
    ['kernel', 'waits for the kernel', 'K', checked, ['#8579c9', '#7568bd'],
      ['#8579c9', '#6a5db0']],
    ['signal', 'waits for a signal', 'G', lying, ['#999933', '#b3b352'], ['#8f8f33', '#70701f']],
    ['stopped', 'stopped', 'X', crossed, ['#a9a9a9', '#6f6f6f'], ['#707070', '#a0a0a0']],
    ['mixed', 'several, merged', '', checked, ['#b0b0b0', '#c8c8c8'], ['#606060', '#707070']],
    ['unknown', 'cause not recorded', '?', dots, ['#ebebeb', '#c2c2c2'], ['#2a2d31', '#565b61']],
    ['timer', 'sleeps on a timer', 'Z', lying, ['#dfe5ec', '#cdd6e0'], ['#2f3742', '#3b4552']],
    ['work-less', 'idle', '', plain, ['#eef0f2', '#eef0f2'],
      ['#24292f', '#24292f']],
    ['absent', 'is not there', '', plain, ['#ffffff', '#ffffff'], ['#16191d', '#16191d']],
  ];
  const PALE = ['unknown', 'timer', 'work-less'];
  const keys = looks.map(([key]) => key);
  const words = looks.map(look => look[1]);
  const letters = looks.map(look => look[2]);
  const is_busy = looks.map(look => look[3] !== plain);
  const by_key = new Map(keys.map((key, i) => [key, i]));

  const themes = {
    light: {paper: '#ffffff', ink: '#1b1f24', faint: '#6a737d', line: '#e3e6ea',
      row: '#fafbfc', chosen: '#e8f1fb', group: '#f3f4f6', strong: '#111111', path: '#c2185b',
      gap: '#c62828', trigger: '#6a1b9a', hover: '#00000055', range: '#1f6fb522',
      arrow: '#1b1f24aa'},
    dark: {paper: '#16191d', ink: '#e3e6ea', faint: '#949ba4', line: '#2b3036',
      row: '#1a1e23', chosen: '#22303f', group: '#1f2429', strong: '#ffffff', path: '#ff6f9f',
      gap: '#ff7b72', trigger: '#e0b0ff', hover: '#ffffff66', range: '#6db6e833',
      arrow: '#e3e6eaaa'},
  };

  function rgb(color) {
    const value = parseInt(color.slice(1, 7), 16);
    return [value >> 16, value >> 8 & 255, value & 255];
  }

  // As the pixels of an ImageData have it, of which the first byte is red.
  const is_little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  const pack = ([red, green, blue]) => is_little ?
    (255 << 24 | blue << 16 | green << 8 | red) >>> 0 :
    (red << 24 | green << 16 | blue << 8 | 255) >>> 0;

  const mix = (a, b, share) => a.map((value, i) => Math.round(value + (b[i] - value) * share));
  const lightness = ([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue;

  function make_tile(pattern, base, second, step) {
    const tile = new Uint32Array(TILE * TILE);
    for (let y = 0; y < TILE; y++)
      for (let x = 0; x < TILE; x++)
        tile[y * TILE + x] = pattern(Math.floor(x / step), Math.floor(y / step)) ? second : base;
    return tile;
  }

  // Tiles, edges and inks of all classes; `scale`: device pixels of a pixel.
  function palette(is_dark, scale) {
    const theme = themes[is_dark ? 'dark' : 'light'];
    const ink = rgb(is_dark ? '#000000' : '#1b1f24'), step = scale >= 1.5 ? 2 : 1;
    const of = look => look[is_dark ? 5 : 4].map(rgb);
    return {
      ...theme, is_dark,
      row_pixel: pack(rgb(theme.row)),
      tiles: looks.map(look => make_tile(look[3], ...of(look).map(pack), step)),
      edges: looks.map(look => pack(mix(of(look)[0], ink, 0.3))),
      inks: looks.map(look => PALE.includes(look[0]) ? theme.faint :
        lightness(of(look)[0]) > 140 ? '#000000' : '#ffffff'),
      colors: looks.map(look => look[is_dark ? 5 : 4][0]),
    };
  }

  // The class of each state code.
  function class_of_states(states) {
    const classes = new Uint8Array(64).fill(by_key.get('unknown'));
    states.slice(0, 64).forEach((state, i) => {
      classes[i] = by_key.get(state.class) ?? by_key.get('unknown');
    });
    return classes;
  }

  // The classes of all segments of a trace, those within merged ones, too.
  function used(data) {
    const {CODE} = ftwait.state;
    const classes = class_of_states(data.meta.states), is_used = new Uint8Array(64);
    for (let i = 0; i < data.states.length; i++)
      is_used[data.states[i] & CODE] = 1;
    for (const state of data.mixes.states)
      is_used[state & CODE] = 1;
    return new Set([...classes].filter((_, code) => is_used[code]));
  }

  ftwait.classes = {count: keys.length, keys, words, letters, is_busy, by_key, TILE, palette,
    themes, class_of_states, used};
}
