from satlife.show.caption import (
    Caption as Caption,
)
from satlife.show.drawing import (
    Sheet as Sheet,
    draw as draw,
    save as save,
)
from satlife.show.formats import (
    PICTURE_FORMATS as PICTURE_FORMATS,
    PictureFormat as PictureFormat,
    find_picture_format as find_picture_format,
    is_picture as is_picture,
)
from satlife.show.maps import (
    MAPS as MAPS,
    CellMap as CellMap,
    MapKind as MapKind,
    find_map as find_map,
)
from satlife.show.scene import (
    Frame as Frame,
    HasScene as HasScene,
    Scene as Scene,
)
from satlife.show.style import (
    Style as Style,
)
from satlife.show.widget import (
    play as play,
)
