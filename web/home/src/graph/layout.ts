/** Where something stands on the map, in hundredths of its width and height. */
export interface Spot {
  x: number;
  y: number;
}

export interface Branch {
  id: string;
  /** What it hangs on; the centre when it is not there. */
  parent: string;
  distance: number;
}

/** How far the two rings are from the centre, and by how much every second one of a full ring is nearer. */
const RINGS = [0, 25, 43];
const NEARER = 6;
/** From so many on, neighbours on a ring would touch if they were equally far. */
const FULL = 9;

/**
 * Places what surrounds an entity on two rings: each branch has a share of the circle by what hangs on it, so that no two
 * lines cross. The same surroundings always lie the same way.
 */
export function layOut(branches: Branch[]): Map<string, Spot> {
  const near = branches.filter(({ distance }) => distance === 1);
  const ids = new Set(near.map(({ id }) => id));
  const far = Map.groupBy(
    branches.filter(({ distance, parent }) => distance > 1 && ids.has(parent)),
    ({ parent }) => parent,
  );
  const total = near.reduce((sum, { id }) => sum + Math.max(1, far.get(id)?.length ?? 0), 0);
  const spots = new Map<string, Spot>();
  const put = (id: string, ring: number, share: number, full: boolean) => {
    const angle = 2 * Math.PI * share - Math.PI / 2;
    const radius = (RINGS[ring] ?? 0) - (full && spots.size % 2 === 1 ? NEARER : 0);
    spots.set(id, { x: 50 + radius * Math.cos(angle), y: 50 + radius * Math.sin(angle) });
  };
  let used = 0;
  for (const { id } of near) {
    const own = far.get(id) ?? [];
    const width = Math.max(1, own.length);
    put(id, 1, (used + width / 2) / total, near.length >= FULL);
    own.forEach((one, index) => put(one.id, 2, (used + index + 0.5) / total, total >= FULL));
    used += width;
  }
  return spots;
}
