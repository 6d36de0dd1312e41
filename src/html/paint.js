/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paints one row into an image, pixel by pixel: where a segment fills columns its colour and
 * pattern, where several share one the classes stacked by their exact shares.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const {CODE, DOUBTFUL} = ftwait.state;
  const LABELS_MOST = 800; // of one frame

  class Painter {
    constructor(palette, scale, width, make_image) {
      this.palette = palette;
      this.scale = scale;
      this.width = width;
      this.make_image = make_image;
      this.images = new Map(); // by height
      this.absent = ftwait.classes.by_key.get('absent');
      this.seen = ['service', 'queue'].map(key => ftwait.classes.by_key.get(key));
      this.labels = [];
    }

    // The image of a row's bar, `height` in device pixels.
    row(row, track, begin, end, height) {
      let image = this.images.get(height);
      if (!image) {
        image = this.make_image(this.width, height);
        this.images.set(height, {image, pixels: new Uint32Array(image.data.buffer)});
        image = this.images.get(height);
      }
      this.pixels = image.pixels;
      this.height = height;
      this.track = track;
      this.of_row = row;
      this.pixels.fill(this.palette.row_pixel);
      ftwait.lod.each_column(track, begin, end, this.width, this);
      return image.image;
    }

    // One class in columns x to `to`, rows y to `until`.
    fill(x, to, y, until, of_class) {
      const {TILE} = ftwait.classes, mask = TILE - 1;
      const {pixels, width} = this, tile = this.palette.tiles[of_class];
      for (let line = y; line < until; line++) {
        const at = line * width, from = (line & mask) * TILE;
        for (let column = x; column < to; column++)
          pixels[at + column] = tile[from + (column & mask)];
      }
    }

    stack(x, to, shares, time) {
      const {height} = this;
      let sum = 0, low = height;
      for (let of_class = 0; of_class < shares.length && low > 0; of_class++) {
        if (shares[of_class] <= 0)
          continue;
        sum += shares[of_class];
        const high = Math.max(0, height - Math.round(height * sum / time));
        if (of_class !== this.absent)
          this.fill(x, to, high, low, of_class);
        low = high;
      }
    }

    // Of devices, which are mostly idle, whatever is there at all is seen.
    column(x, shares, time) {
      const {height, width, pixels, track, absent} = this, {tiles} = this.palette;
      const {TILE} = ftwait.classes, mask = TILE - 1, in_tile = x & mask;
      const scale = height / time;
      let sum = 0, line = height - 1;
      for (let of_class = 0; of_class < absent && line >= 0; of_class++) {
        if (shares[of_class] <= 0)
          continue;
        sum += shares[of_class];
        const high = height - Math.round(scale * sum), tile = tiles[of_class];
        for (; line >= high && line >= 0; line--)
          pixels[line * width + x] = tile[(line & mask) * TILE + in_tile];
      }
      if (!track.objects)
        return;
      const there = this.seen.find(of_class => shares[of_class] > 0);
      if (there !== undefined && shares[there] / time * height < 1)
        this.fill(x, x + 1, height - Math.ceil(this.scale), height, there);
    }

    span(x, to, i) {
      const {track, height, width, pixels} = this, code = track.codes[i];
      const of_class = track.class_of[code & CODE];
      const is_mixed = ftwait.lod.is_mixed(track, i);
      if (to - x >= 9 * this.scale && this.labels.length < LABELS_MOST && !is_mixed)
        this.labels.push([this.of_row, x, to, i, of_class]);
      if (of_class === this.absent)
        return;
      if (is_mixed)
        this.stack(x, to, ftwait.lod.segment_shares(track, i),
          track.begins[i + 1] - track.begins[i]);
      else
        this.fill(x, to, 0, height, of_class);
      if (to - x >= 6 * this.scale)
        for (let line = 0; line < height; line++)
          pixels[line * width + x] = this.palette.edges[of_class];
      if (code & DOUBTFUL && track.mix_of)
        this.doubt(x, to);
    }

    // What may be wrong, as events were lost, is ragged at its top.
    doubt(x, to) {
      const step = 4 * Math.round(this.scale);
      for (let column = x; column < to; column++)
        for (let line = 0; line < Math.min(step, this.height); line++)
          if (column % (2 * step) < 2 * (step - line))
            this.pixels[line * this.width + column] = this.palette.row_pixel;
    }
  }

  ftwait.Painter = Painter;
}
