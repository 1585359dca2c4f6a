"""PageFrame: from a PDF page's own coordinates to points from the top left, as it is shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pypdfium2

Coordinate = TypeVar("Coordinate", float, NDArray[np.float64])


class Place(NamedTuple):
    """A rectangle on the page as shown, in points, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFrame:
    """What of the coordinate system is shown, and how it is turned."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int
    """Degrees clockwise: 0, 90, 180 or 270."""

    @property
    def width(self) -> float:
        """Points, as shown."""
        return self._sides[self.rotation % 180 != 0]

    @property
    def height(self) -> float:
        """Points, as shown."""
        return self._sides[self.rotation % 180 == 0]

    @property
    def _sides(self) -> tuple[float, float]:
        return self.right - self.left, self.top - self.bottom

    @property
    def area(self) -> float:
        """Square points."""
        return (self.right - self.left) * (self.top - self.bottom)

    def place(self, left: float, bottom: float, right: float, top: float) -> Place:
        """Where a rectangle of the page's own coordinates is shown."""
        ax, ay = self._point(left, bottom)
        bx, by = self._point(right, top)
        return Place(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    def places(self, rectangles: NDArray[np.float64]) -> NDArray[np.float64]:
        """``place`` of many, (n, 4) in and out."""
        left, bottom, right, top = rectangles.T
        ax, ay = self._point(left, bottom)
        bx, by = self._point(right, top)
        return np.stack(
            [np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)], axis=1
        )

    def _point(self, x: Coordinate, y: Coordinate) -> tuple[Coordinate, Coordinate]:
        match self.rotation:
            case 0:
                return x - self.left, self.top - y
            case 90:
                return y - self.bottom, x - self.left
            case 180:
                return self.right - x, y - self.bottom
            case _:
                return self.top - y, self.right - x


def page_frame(page: "pypdfium2.PdfPage") -> PageFrame:
    """The frame of ``page``."""
    left, bottom, right, top = page.get_bbox()
    return PageFrame(
        left=left, bottom=bottom, right=right, top=top, rotation=page.get_rotation() % 360
    )
